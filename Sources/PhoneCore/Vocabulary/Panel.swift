import Base

/// A key of the panel, by its function.
public enum Key: Hashable, Codable, Sendable {
    case digit(DTMFSymbol)
    case hold, mute, speaker, headset, redial
    case volumeUp, volumeDown
    /// Does the same as a short tap on the cradle.
    case flash
    case transfer, conference, doNotDisturb, voicemail
    /// One of `Key.lineKeys`, counted from 1: an account, in the configuration's order.
    case line(UInt8)
    /// One of `Key.speedDials`, counted from 1.
    case speedDial(UInt8)
    /// One of `Key.pages`, counted from 1: a group, in the configuration's order. The key begins a page and ends it.
    case page(UInt8)

    public static let lineKeys: ClosedRange<UInt8> = 1...8
    public static let speedDials: ClosedRange<UInt8> = 1...16
    public static let pages: ClosedRange<UInt8> = 1...16
}

public enum HookPosition: Equatable, Codable, Sendable { case onHook, offHook }

/// The device that voice is captured from and played on.
public enum Route: String, CaseIterable, Hashable, Codable, Sendable {
    case handset, speaker, headset, bluetooth

    /// Whether its device comes and goes, and takes the voice when it comes.
    public var isRemovable: Bool { self == .headset || self == .bluetooth }
}

extension Key {
    private static let plain: [(name: String, key: Key)] = [
        ("hold", .hold), ("mute", .mute), ("speaker", .speaker), ("headset", .headset), ("redial", .redial),
        ("volume-up", .volumeUp), ("volume-down", .volumeDown), ("flash", .flash), ("transfer", .transfer),
        ("conference", .conference), ("do-not-disturb", .doNotDisturb), ("voicemail", .voicemail),
    ]

    /// Every key with the name by which board files, the control interface and its clients call it.
    public static let names: [(name: String, key: Key)] =
        DTMFSymbol.allCases.map { (String($0.character), .digit($0)) } + plain
        + lineKeys.map { ("line-\($0)", .line($0)) } + speedDials.map { ("speed-\($0)", .speedDial($0)) }
        + pages.map { ("page-\($0)", .page($0)) }

    public init?(name: String) {
        guard let key = Self.names.first(where: { $0.name == name })?.key else { return nil }
        self = key
    }

    public var name: String { Self.names.first { $0.key == self }?.name ?? "\(self)" }
}

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

/// The states of the board's inputs and relays, which no call contains.
public struct PanelStates: Equatable, Codable, Sendable {
    /// The inputs that are active, by their names.
    public var inputs: Set<String>
    /// The relays that are on, by their numbers.
    public var relays: Set<UInt8>
    /// The inputs whose alarm still has to call somebody.
    public var alarms: Set<String>

    public init(inputs: Set<String> = [], relays: Set<UInt8> = [], alarms: Set<String> = []) {
        (self.inputs, self.relays, self.alarms) = (inputs, relays, alarms)
    }

    var isAtRest: Bool { self == PanelStates() }
}
