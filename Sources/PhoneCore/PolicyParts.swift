import Base

/// The announcer of a call to a person. The control interface is always informed.
public enum Announcer: String, CaseIterable, Codable, Sendable {
    /// Bell, ring lamp and waiting tone.
    case panel
    /// Neither bell nor waiting tone: for a kiosk whose screen announces calls.
    case interface
    case both
}

/// How the digits of a call are sent to its far end.
public enum DTMFMode: String, CaseIterable, Codable, Sendable {
    /// Telephone events where both ends agreed on them, else signalling. Digits that the far end refuses become sound.
    case automatic
    /// Telephone events (RFC 4733), or nothing at all.
    case events
    /// Signalling (SIP INFO), or nothing at all.
    case info
    /// The key's two tones, in the voice.
    case inBand = "in-band"
}

/// Automatic answer, for listed callers only.
public struct AutoAnswerPolicy: Equatable, Codable, Sendable {
    /// The callers, by numbers that a trusted source vouches for.
    public var callers: [ListedCaller] = []
    /// Only when the caller asks for it too (Alert-Info, Answer-Mode).
    public var onlyWhenAsked = true
    public var route = Route.speaker

    public init() {}
}

public struct RelayPolicy: Equatable, Codable, Sendable {
    /// Nil: no far end can switch the relay.
    public var code: RelayCode?
    public var pulse: Duration
    /// Whether the code works only once in a call.
    public var once: Bool

    /// - Precondition: a pulse that takes time.
    public init(code: RelayCode? = nil, pulse: Duration = .seconds(3), once: Bool = false) {
        precondition(pulse > .zero, "a pulse takes time")
        self.code = code
        self.pulse = pulse
        self.once = once
    }
}

public struct FlashTimes: Equatable, Codable, Sendable {
    public var shortest: Duration
    public var longest: Duration

    public init(shortest: Duration = .milliseconds(100), longest: Duration = .milliseconds(900)) {
        (self.shortest, self.longest) = (shortest, longest)
    }
}
