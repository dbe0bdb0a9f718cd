/// A key or signal that RFC 4733 §3.2 can carry. The raw value is its event code.
public struct TelephoneEvent: RawRepresentable, Hashable, Sendable {
    /// 0...16: digits, star, pound, A to D, flash.
    public let rawValue: UInt8

    public static let flash = TelephoneEvent(unchecked: 16)

    private static let keys: [Character] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#", "A", "B", "C", "D",
    ]

    private init(unchecked code: UInt8) { rawValue = code }

    public init?(rawValue: UInt8) {
        guard rawValue <= 16 else { return nil }
        self.rawValue = rawValue
    }

    /// The event of a key `0-9 * # A-D` (either case). Not for a real-time thread: it handles characters.
    public init?(key: Character) {
        let folded: Character = key.isASCII ? Character(key.uppercased()) : key
        guard let code = Self.keys.firstIndex(of: folded) else { return nil }
        rawValue = UInt8(code)
    }

    /// The key, or nil for flash.
    public var key: Character? { rawValue < 16 ? Self.keys[Int(rawValue)] : nil }
}
