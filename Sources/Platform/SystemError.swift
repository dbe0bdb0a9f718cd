import Glibc

/// The system's texts for its error numbers.
public enum SystemError {
    /// The meaning of an `errno`. From any thread.
    public static func text(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        // Swift imports the XSI form, which fills the buffer and is safe on any thread.
        guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The text for the error of this thread's last system call.
    public static var last: String { text(errno) }
}

/// The system refused an operation that a program cannot do without the system.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The operation that failed, for people.
    public let operation: String
    /// The `errno`.
    public let code: Int32

    public init(_ operation: String, _ code: Int32) { (self.operation, self.code) = (operation, code) }

    public var description: String { "\(operation): \(SystemError.text(code))" }
}
