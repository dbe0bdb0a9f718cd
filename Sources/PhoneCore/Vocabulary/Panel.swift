import Base

/// A report of the panel: debounced, decoded, in logical polarity.
public enum PanelEvent: Equatable, Codable, Sendable {
    /// The hook's level at start. A handset that already lies beside the phone does not dial.
    case hookFound(HookPosition)
    case hook(HookPosition)
    case pressed(Key)
    case released(Key)
    /// A plain input of the board, by its name in the board file: tamper, door open.
    case input(String, active: Bool)
    /// The panel is not usable (any more). Calls continue. The text is for people.
    case failed(String)
}

public enum Lamp: Hashable, CaseIterable, Codable, Sendable {
    case line, ringing, message, mute, hold, speaker, doNotDisturb
    /// The lamp beside a line key, with the number of that key.
    case account(UInt8)
    /// The lamp beside a speed-dial key, with the number of that key. It shows the state of the phones of its number.
    case speedDial(UInt8)

    public static let allCases: [Lamp] =
        [.line, .ringing, .message, .mute, .hold, .speaker, .doNotDisturb] + Key.lineKeys.map { .account($0) }
        + Key.speedDials.map { .speedDial($0) }

    public init?(rawValue: String) {
        guard let lamp = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = lamp
    }

    /// The name by which board files and the control interface call it.
    public var rawValue: String {
        switch self {
        case .line: "line"
        case .ringing: "ringing"
        case .message: "message"
        case .mute: "mute"
        case .hold: "hold"
        case .speaker: "speaker"
        case .doNotDisturb: "do-not-disturb"
        case .account(let number): "line-\(number)"
        case .speedDial(let number): "speed-\(number)"
        }
    }
}

public enum LampPattern: Equatable, Codable, Sendable {
    case off, on
    /// The lamp blinks once a second: the call is held.
    case slowBlink
    /// The lamp blinks four times a second: the call rings.
    case fastBlink
    /// The lamp flutters: the call is parked.
    case flutter
}

/// The times in which the bell sounds and pauses, alternately, beginning with sound. They repeat until the next order.
public struct RingCadence: Equatable, Codable, Sendable {
    public let phases: [Duration]

    /// - Precondition: an even number of positive durations, at least two.
    public init(_ phases: [Duration]) {
        precondition(phases.count >= 2 && phases.count.isMultiple(of: 2), "a cadence is pairs of sound and pause")
        precondition(phases.allSatisfy { $0 > .zero }, "a cadence's phases are positive")
        self.phases = phases
    }
}

/// How the phone rings for a call: the same for its bell and its ringer.
public struct Ring: Equatable, Codable, Sendable {
    /// The ring's name in `PhonePolicy.rings`; nil is the phone's usual one.
    public let name: String?
    public let cadence: RingCadence

    public init(name: String?, cadence: RingCadence) {
        self.name = name
        self.cadence = cadence
    }
}

public enum PanelEffect: Equatable, Codable, Sendable {
    case lamp(Lamp, LampPattern)
    /// Nil silences the bell at once.
    case bell(RingCadence?)
    /// One of the board's relays, counted from 1: a door, a lamp, a gate.
    case relay(UInt8, on: Bool)
    /// Switches a relay on until this instant of the monotonic clock. The panel ends the pulse itself, so that a door
    /// closes even if the rest of the phone hangs.
    case pulse(UInt8, until: Instant)

    /// Recordings call the bell by its older name.
    private enum CodingKeys: String, CodingKey {
        case lamp, relay, pulse
        case bell = "ringer"
    }
}
