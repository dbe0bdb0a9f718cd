/// A symbol of the dial pad, which is also what a telephone event carries.
public enum DialSymbol: UInt8, CaseIterable, Hashable, Codable, Sendable {
    // The raw values are the event codes of RFC 4733 §3.2.
    case zero, one, two, three, four, five, six, seven, eight, nine, star, pound, a, b, c, d

    public init?(_ character: Character) {
        guard character.isASCII,
            let index = Array("0123456789*#ABCD").firstIndex(of: Character(character.uppercased()))
        else {
            return nil
        }
        self.init(rawValue: UInt8(index))
    }

    public var character: Character { Array("0123456789*#ABCD")[Int(rawValue)] }
}

/// One element of a sequence of digits to send: a symbol, or a comma, which waits 2 s.
public enum DTMFElement: Hashable, Codable, Sendable {
    case symbol(DialSymbol)
    case pause

    public init?(_ character: Character) {
        if character == "," {
            self = .pause
        } else if let symbol = DialSymbol(character) {
            self = .symbol(symbol)
        } else {
            return nil
        }
    }
}

/// A key of the panel by what it does.
public enum Key: Hashable, Codable, Sendable {
    case digit(DialSymbol)
    case hold, mute, speaker, headset, redial
    case volumeUp, volumeDown
    /// What a short tap on the cradle does.
    case flash
    case transfer, conference, doNotDisturb, voicemail
    /// One of `Key.lineKeys`, counted from 1: an account, in the configuration's order.
    case line(UInt8)
    /// One of `Key.speedDials`, counted from 1.
    case speedDial(UInt8)

    public static let lineKeys: ClosedRange<UInt8> = 1...8
    public static let speedDials: ClosedRange<UInt8> = 1...16
}

public enum HookPosition: Equatable, Codable, Sendable { case onHook, offHook }

/// Where the voice goes.
public enum Route: String, CaseIterable, Hashable, Codable, Sendable { case handset, speaker, headset, bluetooth }
