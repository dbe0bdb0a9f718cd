import Base
import JSON
import PhoneCore

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
