/// The system refused an operation that a program cannot do without the system.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The operation that failed, for people.
    public let operation: String
    /// The `errno`.
    public let code: Int32

    public init(_ operation: String, _ code: Int32) { (self.operation, self.code) = (operation, code) }

    public var description: String { "\(operation): \(SystemError.text(code))" }
}
