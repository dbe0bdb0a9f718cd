/// A symbol of the dial pad. A telephone event carries the same symbols.
public enum DTMFSymbol: UInt8, CaseIterable, Hashable, Codable, Sendable {
    // The raw values are the event codes of RFC 4733 §3.2.
    case zero, one, two, three, four, five, six, seven, eight, nine, star, pound, a, b, c, d

    private static let characters = Array("0123456789*#ABCD")

    /// Letters may be lower case.
    public init?(_ character: Character) {
        guard character.isASCII,
            let index = Self.characters.firstIndex(of: Character(character.uppercased()))
        else {
            return nil
        }
        self.init(rawValue: UInt8(index))
    }

    public var character: Character { Self.characters[Int(rawValue)] }
}

/// One element of a sequence of digits to send: a symbol, or a comma for a pause of `DTMFTiming.pause`.
public enum DTMFElement: Hashable, Codable, Sendable {
    case symbol(DTMFSymbol)
    case pause

    public init?(_ character: Character) {
        if character == "," {
            self = .pause
        } else if let symbol = DTMFSymbol(character) {
            self = .symbol(symbol)
        } else {
            return nil
        }
    }
}

/// How long digits last, for every method of sending them. Any switch detects 50 ms (ITU-T Q.24).
public enum DTMFTiming {
    /// The length of a telephone event (RFC 4733), or of a tone in the audio.
    public static let event = Duration.milliseconds(100)
    /// The length of the tone that an INFO asks the far end to play.
    public static let info = Duration.milliseconds(160)
    /// The silence between two digits, for each of the three methods.
    public static let gap = Duration.milliseconds(50)
    /// The pause for a comma.
    public static let pause = Duration.seconds(2)
}
