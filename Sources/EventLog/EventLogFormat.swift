import Base
import PhoneCore

/// The properties that all event logs share. `docs/dev/event-log.md` describes the file.
public enum EventLogFormat {
    /// Raised whenever older programs could not read the new format.
    public static let version = 1
    /// The longest line in bytes, without its end. No writer produces a longer one, and no reader accepts one.
    public static let longestLine = 1 << 20
    /// The bytes at the beginning of an event log of any version.
    public static let opening = Array("{\"format\":\"\(name)".utf8)

    /// The latest time: within 146 years of the clock's origin, so that adding a wait to a time never overflows.
    static let latest: Int64 = 1 << 62

    static let name = "offhook recording "
    static var title: String { name + "\(version)" }

    /// The version in a title; nil if it is not a title of an event log.
    static func version(in title: String) -> Int? {
        title.hasPrefix(name) ? Int(title.dropFirst(name.count)) : nil
    }
}

/// The first line of an event log: everything that a replay needs before the first event.
public struct EventLogHeader: Codable, Sendable {
    let format: String
    /// The phone's policy and its whole state.
    public let machine: PhoneMachine
    /// The version of the recording program.
    public let program: String
    /// Whether numbers and names are pseudonyms. Secrets are always replaced.
    public let redacted: Bool
    /// Whether digits in calls are zeros. Nil in older files, which hid digits with everything else or not at all.
    public let hidesDigits: Bool?

    init(machine: PhoneMachine, program: String, privacy: EventLogPrivacy) {
        format = EventLogFormat.title
        self.machine = machine
        self.program = program
        switch privacy {
        case .nothingHidden: (redacted, hidesDigits) = (false, false)
        case .digitsHidden: (redacted, hidesDigits) = (false, true)
        case .everybodyHidden: (redacted, hidesDigits) = (true, true)
        }
    }
}

/// Every line except the first.
enum EventLogLine: Sendable {
    case event(LoggedEvent)
    /// The last line after an overflow: this many events are missing.
    case lost(Int)
}

/// What happened, when, and the phone's effects.
struct LoggedEvent: Codable, Sendable {
    let at: Instant
    let event: PhoneEvent
    let effects: [PhoneEffect]
}

extension EventLogLine: Codable {
    private struct Loss: Codable { let lost: Int }
    private enum Name: CodingKey { case lost }

    init(from decoder: any Decoder) throws {
        if try decoder.container(keyedBy: Name.self).contains(.lost) {
            self = .lost(try Loss(from: decoder).lost)
        } else {
            self = .event(try LoggedEvent(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .event(let event): try event.encode(to: encoder)
        case .lost(let count): try Loss(lost: count).encode(to: encoder)
        }
    }
}

/// What an event log hides. It never contains passwords and keys.
public enum EventLogPrivacy: Sendable {
    /// Digits sent or received in calls are recorded too, and may include a PIN.
    case nothingHidden
    case digitsHidden
    /// Digits, numbers and names.
    case everybodyHidden

    /// What to replace. Nil: nothing.
    var hidden: Redaction.Hidden? {
        switch self {
        case .nothingHidden: nil
        case .digitsHidden: .digits
        case .everybodyHidden: .everybody
        }
    }
}
