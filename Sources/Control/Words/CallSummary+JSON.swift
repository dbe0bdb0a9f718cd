import Base
import PhoneCore

extension CallSummary {
    var json: JSONValue {
        .object([
            "call": .string(call.description),
            "direction": .string(direction.rawValue),
            "phase": .string(phase.rawValue),
            "number": .string(Self.withoutPassword(number)),
            "name": name.map { .string($0) } ?? .null,
            "account": .integer(account.rawValue),
            "heldHere": .bool(heldHere),
            "heldThere": .bool(heldThere),
            "farEndRings": .bool(farEndRings),
            "started": .integer(started.nanoseconds),
            "answered": answered.map { .integer($0.nanoseconds) } ?? .null,
        ])
    }

    /// A URI may carry a password behind its user (RFC 3261 §19.1.1), and a number may be a URI that somebody typed.
    private static func withoutPassword(_ number: String) -> String {
        guard let scheme = number.firstIndex(of: ":"), let at = number.lastIndex(of: "@"), scheme < at else {
            return number
        }
        let user = number[number.index(after: scheme)..<at]
        guard let colon = user.firstIndex(of: ":") else { return number }
        return String(number[...scheme] + user[..<colon] + number[at...])
    }
}

extension VoiceQuality {
    /// The members' names carry their units. `grade` is the spec's: good, fair, poor; unknown without a score.
    var json: JSONValue {
        func figure(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
        return .object([
            "grade": .string(grade),
            "mos": figure(opinionScore),
            "jitterMs": figure(jitterMilliseconds),
            "roundTripMs": figure(roundTripMilliseconds),
            "lossPercent": figure(lossPercent),
            "concealedPercent": figure(concealedPercent),
            "bufferMs": figure(bufferMilliseconds),
        ])
    }

    private var grade: String {
        switch opinionScore {
        case .some(4.0...): "good"
        case .some(3.5..<4.0): "fair"
        case .some(..<3.5): "poor"
        case .some, nil: "unknown"
        }
    }
}
