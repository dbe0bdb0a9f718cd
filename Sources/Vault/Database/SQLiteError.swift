/// A failure from SQLite: its extended result code and message, which never contains a bound value.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    public let code: Int32
    public let message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (SQLite \(code))" }
}
