/// The name of a call, which the end that begins it chooses.
public struct VertoCallID: Hashable, Sendable {
    public let rawValue: String

    /// - Returns: Nil unless it has 1 to `VertoLimits.idBytes` printable ASCII characters.
    public init?(_ text: String) {
        guard text.isVisible(bytes: VertoLimits.idBytes) else { return nil }
        rawValue = text
    }

    /// A new name: a random UUID in lower case, as servers expect it.
    public init(using generator: inout some RandomNumberGenerator) { rawValue = .randomUUID(using: &generator) }
}
