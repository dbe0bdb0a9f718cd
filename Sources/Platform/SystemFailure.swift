/// The system refused something that a program can only do with it.
public struct SystemFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, for people.
    public let operation: String
    /// The `errno`.
    public let code: Int32

    public init(_ operation: String, _ code: Int32) { (self.operation, self.code) = (operation, code) }

    public var description: String { "\(operation): \(SystemError.text(code))" }
}
