/// The name of a call, which whoever begins the call makes.
public struct VertoCallID: Hashable, Sendable {
    public let rawValue: String

    /// - Returns: nil unless it has 1 to `VertoLimits.idBytes` printable characters of ASCII.
    public init?(_ text: String) {
        guard text.isVisible(bytes: VertoLimits.idBytes) else { return nil }
        rawValue = text
    }

    /// A new name: a random UUID in lower case, as servers expect it.
    public init(using generator: inout some RandomNumberGenerator) { rawValue = .randomUUID(using: &generator) }
}
