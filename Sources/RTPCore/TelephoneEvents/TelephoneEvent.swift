import Base

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

/// The four bytes of a telephone event, RFC 4733 §2.3.
public struct TelephoneEventPayload: Equatable, Sendable {
    public static let size = 4

    public struct Truncated: Error, Equatable, Sendable {
        public let available: Int
    }

    /// The event code. It may have any value, but this phone supports only the events 0...16.
    public let code: UInt8
    public let isEnd: Bool
    /// The power of the tone in -dBm0, 0...63; 10 is loud and clear.
    public let volume: UInt8
    /// The time since the event, or this segment of it, began, in ticks of the event's clock.
    public let duration: UInt16

    public init(code: UInt8, isEnd: Bool, volume: UInt8, duration: UInt16) {
        precondition(volume < 64, "six bits of volume")
        self.code = code
        self.isEnd = isEnd
        self.volume = volume
        self.duration = duration
    }

    /// Reads the first event of a payload and ignores the bytes that follow it.
    public init(parsing payload: Span<UInt8>) throws(Truncated) {
        guard payload.count >= Self.size else { throw Truncated(available: payload.count) }
        code = payload[0]
        isEnd = payload[1] & 0x80 != 0
        volume = payload[1] & 0x3F
        duration = payload.bigEndian(at: 2)
    }

    /// Writes the four bytes at `offset`.
    @_noLocks
    public func write(into packet: inout MutableSpan<UInt8>, at offset: Int) {
        packet[offset] = code
        packet[offset + 1] = (isEnd ? 0x80 : 0) | volume
        packet.store(bigEndian: duration, at: offset + 2)
    }
}
