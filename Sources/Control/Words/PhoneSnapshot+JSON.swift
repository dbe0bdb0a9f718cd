import Base
import PhoneCore

extension PhoneSnapshot {
    /// - Parameter now: The instant of the snapshot, from which whoever reads it counts durations.
    func json(at now: Instant) -> JSONValue {
        let lines = registrations.sorted { $0.key.rawValue < $1.key.rawValue }
        let patterns = lamps.map { ($0.key.rawValue, JSONValue.string($0.value.name)) }
        return .object([
            "at": .integer(now.nanoseconds),
            "calls": .array(calls.map(\.json)),
            "hook": hook.map { .string($0.name) } ?? .null,
            "digits": .string(digits),
            "muted": .bool(muted),
            "route": .string(route.rawValue),
            "tone": tone.map { .string($0.rawValue) } ?? .null,
            "registrations": .array(lines.map { .object($0.value.members(of: $0.key)) }),
            "lamps": .object(Dictionary(uniqueKeysWithValues: patterns)),
            "ringing": .bool(ringing),
        ])
    }
}

extension RegistrationState {
    func members(of account: AccountID) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["account": .integer(account.rawValue)]
        switch self {
        case .notNeeded: members["state"] = "notNeeded"
        case .registering: members["state"] = "registering"
        case .registered: members["state"] = "registered"
        case .failed(let why):
            members["state"] = "failed"
            members["message"] = .string(why)
        }
        return members
    }
}

extension HookPosition {
    var name: String {
        switch self {
        case .onHook: "onHook"
        case .offHook: "offHook"
        }
    }
}

extension LampPattern {
    var name: String {
        switch self {
        case .off: "off"
        case .on: "on"
        case .slowBlink: "slowBlink"
        case .fastBlink: "fastBlink"
        case .flutter: "flutter"
        }
    }
}
