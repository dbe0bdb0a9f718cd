import Base
import JSON
import PhoneCore

extension CallSummary {
    var json: JSONValue {
        .object([
            "call": call.json,
            "direction": .string(direction.rawValue),
            "phase": .string(phase.rawValue),
            "number": .string(number.withoutPassword),
            "name": .text(name),
            "avatar": .text(avatar),
            "badge": .text(badge),
            "verification": .text(verification?.rawValue),
            "withheld": .bool(isWithheld),
            "divertedBy": .text(divertedBy?.withoutPassword),
            "called": .text(called?.withoutPassword),
            "headers": headersByName,
            "account": .integer(account.rawValue),
            "heldHere": .bool(heldHere),
            "heldThere": .bool(heldThere),
            "farEndRings": .bool(farEndRings),
            "impaired": .bool(impaired),
            "sendFault": .text(sendFault),
            "canTransfer": .bool(canTransfer ?? true),
            "transferRequested": question?.json ?? .null,
            "protection": .text(protection?.rawValue),
            "words": .text(words),
            "key": .text(key?.rawValue),
            "announce": .bool(announcedByInterface),
            "started": .integer(started.nanoseconds),
            "answered": answered.map { .integer($0.nanoseconds) } ?? .null,
        ])
    }

    /// Several headers of one name form one list (RFC 3261 §7.3.1).
    private var headersByName: JSONValue {
        let members = (headers ?? []).map { ($0.name, $0.value) }
        return .object(Dictionary(members, uniquingKeysWith: { $0 + ", " + $1 }).mapValues { .string($0) })
    }
}

extension MissedCall {
    var json: JSONValue {
        .object([
            "call": call.json,
            "number": .string(number.withoutPassword),
            "name": .text(name),
            "organization": .text(organisation),
            "account": account.map { .integer($0.rawValue) } ?? .null,
            "at": .integer(at.nanoseconds),
            "reason": .string(reason.code),
        ])
    }
}

extension JSONValue {
    /// A text, or null for nil.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
