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

extension CallID {
    /// Parses the form of `description`: `out-3`, `in-1.7`, `info-2`, `past-5`.
    init?(_ text: String) {
        if text.hasPrefix("out-") {
            guard let number = UInt32(text.dropFirst(4)) else { return nil }
            self.init(.phone, number)
        } else if text.hasPrefix("info-") {
            guard let number = UInt32(text.dropFirst(5)) else { return nil }
            self.init(.info, number)
        } else if text.hasPrefix("past-") {
            guard let number = UInt32(text.dropFirst(5)) else { return nil }
            self.init(.past, number)
        } else if text.hasPrefix("in-") {
            let parts = text.dropFirst(3).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let account = Int64(parts[0]), let number = UInt32(parts[1]) else { return nil }
            self.init(.line(AccountID(account)), number)
        } else {
            return nil
        }
        // Allow only one spelling for each call: no plus sign, no leading zeros.
        guard description == text else { return nil }
    }

    var json: JSONValue { .string(description) }
}

extension EndReason {
    /// `reason`, and a `message` for people. If present, also the far end's `status`, or the organisation's failure as
    /// `cause`.
    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if case .rejected(let status) = self { members["status"] = .integer(Int64(status)) }
        if case .organisation(let failure) = self {
            members = failure.members
            members["cause"] = members["reason"]
        }
        members["reason"] = .string(code)
        members["message"] = .string(sentence)
        return members
    }
}

extension VoiceQuality {
    /// The members' names have units. Unmeasured values are null.
    var json: JSONValue {
        func figure(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
        return .object([
            "rating": .string(rating.rawValue),
            "mos": figure(opinionScore),
            "jitterMs": figure(jitterMilliseconds),
            "roundTripMs": figure(roundTripMilliseconds),
            "lossPercent": figure(lossPercent),
            "concealedPercent": figure(concealedPercent),
            "bufferMs": figure(bufferMilliseconds),
            "farMos": figure(farOpinionScore),
        ])
    }
}

extension TransferQuestion {
    /// `to`, the target of the requested transfer, and the `cause`.
    var members: [String: JSONValue] {
        ["to": .string(target.withoutPassword), "cause": .string(cause.rawValue)]
    }

    func members(of call: CallID, _ answer: TransferAnswer) -> [String: JSONValue] {
        members.merging(["call": call.json, "answer": .string(answer.rawValue)]) { own, _ in own }
    }

    var json: JSONValue { .object(members.merging(["until": .integer(until.nanoseconds)]) { own, _ in own }) }
}

extension CodeOutcome {
    func members(of call: CallID) -> [String: JSONValue] {
        switch self {
        case .right(let relay): ["call": call.json, "outcome": "right", "relay": .integer(Int64(relay))]
        case .wrong(let left): ["call": call.json, "outcome": "wrong", "left": .integer(Int64(left))]
        case .locked(let seconds): ["call": call.json, "outcome": "locked", "seconds": .integer(Int64(seconds))]
        }
    }
}

extension AlarmOutcome {
    func members(of input: String) -> [String: JSONValue] {
        switch self {
        case .called(let call): ["input": .string(input), "outcome": "called", "call": call.json]
        case .waiting: ["input": .string(input), "outcome": "waiting"]
        case .givenUp: ["input": .string(input), "outcome": "givenUp"]
        }
    }
}

extension RefusedCall {
    /// `reason` is the stable word for programs, `message` the text for people.
    var members: [String: JSONValue] {
        [
            "account": .integer(account.rawValue), "number": .string(number.withoutPassword),
            "displayName": .text(name),
            "from": .text(from), "reason": .string(reason.rawValue), "message": .string(reason.words),
        ]
    }
}

extension String {
    /// The text without a URI's password (RFC 3261 §19.1.1). A number may be a URI that a person typed.
    var withoutPassword: String {
        guard let scheme = firstIndex(of: ":"), let at = lastIndex(of: "@"), scheme < at else { return self }
        let user = self[index(after: scheme)..<at]
        guard let colon = user.firstIndex(of: ":") else { return self }
        return String(self[...scheme] + user[..<colon] + self[at...])
    }
}
