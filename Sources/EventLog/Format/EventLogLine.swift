import Base
import PhoneCore

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
