import Base

extension Call {
    var phase: CallSummary.Phase {
        switch state {
        case .idle: .idle
        case .ringingIn: .ringingIn
        case .ringingOut: .ringingOut
        case .connecting: .connecting
        case .active: isSignallingLost == true ? .reconnecting : .active
        case .onHold: isSignallingLost == true ? .reconnecting : .onHold
        case .reconnecting: .reconnecting
        case .disconnecting: .disconnecting
        case .ended: .ended
        case .failed: .failed
        }
    }

    /// - Parameters:
    ///   - current: The organisation that the phone works for. The badge names another one.
    ///   - onInterface: Whether the interface has to announce a ringing call.
    ///   - canTransfer: Whether the server of the call's account can transfer a far end.
    func summary(current: OrganisationID?, onInterface: Bool, canTransfer: Bool) -> CallSummary {
        CallSummary(
            call: id, direction: direction, phase: phase, number: who.number, name: who.name, avatar: who.avatar,
            badge: badge(current: current), verification: who.verification,
            isWithheld: who.isWithheld, divertedBy: who.divertedBy, called: who.called,
            headers: who.headers, account: account, heldHere: isHeldHere, heldThere: talk?.heldThere ?? false,
            started: started, answered: answered, farEndRings: farEndRings,
            impaired: lostAt != nil && phase == .active, announcedByInterface: onInterface && isRinging,
            replaces: replacement?.predecessor, question: question, protection: provenProtection,
            words: key?.shown.words, key: key?.standing, sendFault: isUp ? sendFault : nil,
            canTransfer: canTransfer ? nil : false, signallingLost: isUp ? isSignallingLost : nil)
    }

    /// The name of the organisation that is called, if it is not the current one.
    func badge(current: OrganisationID?) -> String? {
        who.organisation.flatMap { $0.id == current ? nil : $0.name }
    }

    private var farEndRings: Bool {
        if case .ringingOut(.dialled(_, alerting: true, _)) = state { true } else { false }
    }

    /// Why the call counts as missed: it was announced or refused here, and answered neither here nor elsewhere.
    func missed(for reason: EndReason) -> MissedReason? {
        // A far end that hangs up, instead of giving up, has received our answer, even if its BYE overtook its ACK.
        let wasAnswered = answered != nil || answerer != nil && reason == .hungUpThere
        return direction == .incoming && !wasAnswered ? reason.missed : nil
    }

    func historyEntry(ended: Instant, reason: EndReason) -> HistoryEntry {
        HistoryEntry(
            direction: direction, number: who.number, name: who.name, called: who.called,
            organisation: who.organisation?.name, account: account, started: started, answered: answered, ended: ended,
            reason: reason,
            missed: missed(for: reason), quality: quality, protection: provenProtection)
    }

    /// The data with which the next process records this call as missed after a crash. Nil: nobody would miss it, or it
    /// is up, so that its essentials are kept.
    var ringingEssentials: RingingCall? {
        switch state {
        case .ringingIn, .connecting:
            guard direction == .incoming else { return nil }
            return RingingCall(
                call: id.description, number: who.number, name: who.name, called: who.called,
                organisation: who.organisation, account: account, started: started)
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed: return nil
        }
    }

    /// The data that the next process needs after a crash. Nil before the call is answered.
    var essentials: PersistedCall? {
        answered.map { answered in
            PersistedCall(
                call: id.description, direction: direction, number: who.number, name: who.name, account: account,
                started: started, answered: answered, memo: memo)
        }
    }
}
