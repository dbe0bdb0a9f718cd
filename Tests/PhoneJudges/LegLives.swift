import PhoneCore

/// The duties between lines and phone for every call of a line: one end from the line, at most one BYE from the phone.
struct LegLives: Equatable, Sendable {
    private struct Leg: Equatable, Sendable {
        var ends = 0
        var wasAlerted = false
    }

    private var legs: [CallID: Leg] = [:]
    /// The last number of each origin: none is used again.
    private var last: [CallID.Origin: UInt32] = [:]
    /// Ended in this transition: messages to it in the same transition, when its time was up, are forgiven.
    private var ending: CallID?
    /// Offered in this transition.
    private var offered: CallID?

    mutating func expect(_ event: PhoneEvent) {
        (ending, offered) = (nil, nil)
        guard case .line(let event) = event else { return }
        switch event {
        case .offered(let leg, _):
            guard leg.number > last[leg.origin] ?? 0 else { return }
            offered = leg
            open(leg)
        case .ended(let leg, _): ending = leg
        case .registration, .offerSent, .ringing, .earlyMedia, .answered, .memo, .renegotiated, .displayUpdated,
            .holdSettled, .holdDelayed, .moved, .dtmfSent, .dtmfReceived, .text, .transferSettled, .transferred,
            .referred,
            .redirected, .refused, .watched, .messagesWaiting, .endTold:
            break
        }
    }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        guard case .line(let effect) = effect else { return }
        switch effect {
        case .dial(let leg, _, _, _, _), .follow(let leg, _, _, _), .pickUp(let leg, _, _):
            guard leg.number > last[leg.origin] ?? 0 else { throw Violation("a name is used once: \(leg)") }
            open(leg)
        case .end(let leg, _), .refuse(let leg, _):
            try check(leg)
            legs[leg]?.ends += 1
            if let ends = legs[leg]?.ends, ends > 1 { throw Violation("one BYE: \(leg)") }
        case .alert(let leg):
            try check(leg)
            legs[leg]?.wasAlerted = true
        case .answer(let leg, _, _), .candidates(let leg, _, _), .hold(let leg, _), .dtmf(let leg, _),
            .move(let leg, _), .transfer(let leg, _):
            try check(leg)
            if legs[leg]?.ends != 0 { throw Violation("no message follows the BYE: \(effect)") }
        case .connect(let first, let second):
            try check(first)
            try check(second)
        case .declineReferral(let leg), .redirect(let leg, _): try check(leg)
        case .orphanBye, .reconnect, .disconnect, .reconfigure, .shutDown: break
        }
    }

    /// When the machine rests: every leg without an end or BYE is in a call.
    mutating func checkTurn(_ snapshot: PhoneSnapshot) throws(Violation) {
        if let offered, let leg = legs[offered], !leg.wasAlerted && leg.ends == 0 {
            throw Violation("an offer is announced or refused at once: \(offered)")
        }
        if let ending { legs[ending] = nil }
        let open = legs.values.count { $0.ends == 0 }
        let live = snapshot.calls.count { $0.phase != .disconnecting }
        guard open <= live else { throw Violation("no slot leaks: \(open) legs for \(live) calls") }
    }

    private func check(_ leg: CallID) throws(Violation) {
        guard legs[leg] != nil else { throw Violation("an effect names an ended leg: \(leg)") }
    }

    private mutating func open(_ leg: CallID) {
        last[leg.origin] = leg.number
        legs[leg] = Leg()
    }
}
