import Glibc

/// The system's words for its error numbers.
public enum SystemError {
    /// What an `errno` means. From any thread.
    public static func text(_ code: Int32) -> String {
        var text = [CChar](repeating: 0, count: 128)
        // The XSI form, which Swift imports: it fills the buffer and is safe on any thread.
        guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What the last system call of this thread said.
    public static var last: String { text(errno) }
}
