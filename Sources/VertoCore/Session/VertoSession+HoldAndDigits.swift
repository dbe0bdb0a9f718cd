import Base
import JSON
import Telephony

/// Hold and digits, whose requests are sent one after the other.
extension VertoSession {
    mutating func hold(_ call: VertoCall, _ wanted: Bool, at now: Instant) {
        switch call.phase {
        case .active:
            var call = call
            call.holdDue = now + VertoTiming.holdLimit
            let isAsked = requests.contains { Self.isHold($0, of: call.id) }
            if isAsked { call.holdWanted = wanted }
            update(call)
            if isAsked { return }
            if call.isHeld == wanted {
                tell(call.id, .held(wanted))
            } else {
                askHold(call.id, wanted, at: now)
            }
        case .inviting, .proceeding, .offered, .answering, .recovering, .attaching, .rejoining:
            tell(call.id, .holdFailed)
        }
    }

    func holdAction(_ wanted: Bool) -> JSONValue { wanted ? "hold" : "unhold" }

    mutating func askHold(_ id: VertoCallID, _ wanted: Bool, at now: Instant) {
        request(.modify, of: id, ["action": holdAction(wanted)], .hold(id, wanted), at: now)
    }

    /// Handles the answer to a hold. The state in the answer counts, not the request.
    mutating func holdAnswered(_ call: VertoCall, _ result: JSONValue, at now: Instant) {
        let isHeld: Bool? =
            switch result["holdState"]?.string {
            case "held": true
            case "active", "unheld": false
            default: nil
            }
        guard let isHeld else {
            drop(.badResult)
            return holdFailed(call)
        }
        var call = call
        let next = call.holdWanted
        (call.isHeld, call.holdWanted) = (isHeld, nil)
        update(call)
        if let next, next != isHeld { return askHold(call.id, next, at: now) }
        tell(call.id, .held(isHeld))
    }

    /// Requests the hold again after the server has given the call back, because the server does not report whether the
    /// call is on hold.
    mutating func restoreHold(_ call: VertoCall, _ wanted: Bool, at now: Instant) {
        let isLate = wanted != call.isHeld && call.holdDue.map { $0 < now } ?? false
        if isLate { tell(call.id, .holdFailed) }
        askHold(call.id, isLate ? call.isHeld : wanted, at: now)
    }

    mutating func holdFailed(_ call: VertoCall) {
        var call = call
        call.holdWanted = nil
        update(call)
        tell(call.id, .holdFailed)
    }

    // MARK: Digits

    mutating func dtmf(_ call: VertoCall, _ digit: DTMFSymbol, at now: Instant) {
        switch call.phase {
        case .proceeding, .active:
            guard call.digits.count < VertoLimits.digits else { return tell(call.id, .dtmfFailed) }
            var call = call
            call.digits.append(digit)
            update(call)
            if call.digits.count == 1 { sendDigit(of: call, at: now) }
        case .inviting, .offered, .answering, .recovering, .attaching, .rejoining: tell(call.id, .dtmfFailed)
        }
    }

    private mutating func sendDigit(of call: VertoCall, at now: Instant) {
        guard let digit = call.digits.first else { return }
        request(.info, of: call.id, ["dtmf": .string(String(digit.character))], .dtmf(call.id), at: now)
    }

    mutating func digitAnswered(_ call: VertoCall, at now: Instant) {
        var call = call
        guard !call.digits.isEmpty else { return }
        tell(call.id, .dtmfSent(call.digits.removeFirst()))
        update(call)
        sendDigit(of: call, at: now)
    }

    mutating func digitFailed(_ call: VertoCall) {
        var call = call
        call.digits = []
        update(call)
        tell(call.id, .dtmfFailed)
    }
}
