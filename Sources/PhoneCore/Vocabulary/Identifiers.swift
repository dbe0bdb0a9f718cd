/// One request to the phone, which is settled exactly once: fulfilled or failed.
public struct ActionID: Hashable, Codable, Sendable, CustomStringConvertible {
    public enum Source: Hashable, Codable, Sendable {
        /// A key, the hook, or the machine on a person's behalf; numbered by the machine.
        case panel
        /// Another program; numbered by Control.
        case control
    }

    public let source: Source
    public let number: UInt64

    public init(_ source: Source, _ number: UInt64) {
        self.source = source
        self.number = number
    }

    public var description: String { "\(source)-\(number)" }
}
