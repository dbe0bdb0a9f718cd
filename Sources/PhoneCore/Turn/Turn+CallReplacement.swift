import Base

/// One call takes the place of another: because its far end asked us to call somebody else, or because somebody else
/// takes over from it.
extension Turn {
    /// Calls whom the far end of a call asked for.
    mutating func follow(_ call: Call, _ leg: CallID, to number: String) {
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        begin(panelAction(), .start, id, within: policy.startTime)
        var next = Call(
            id: id, direction: .outgoing, who: Identity(number: number), account: call.account, started: now, leg: id,
            succession: CallReplacement(cause: .referral, predecessor: call.id, leg: leg),
            state: .ringingOut(.preparing(nil)))
        next.who.find(in: phone.contacts)
        phone.calls.append(next)
        emit(.media(.open(id)))
        wakeLine(of: next)
    }

    /// Done only for the call that a person is in, when nothing else is on its way to the sound.
    func mayBeSucceeded(_ call: Call) -> Bool {
        guard !hasSuccessor(call), !phone.calls.contains(where: \.isTakingAudioFocus) else { return false }
        switch call.state {
        case .active(let talk), .onHold(let talk): return talk.ownHold == .off
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: return false
        }
    }

    /// One call takes its place, once it has its own. Whoever comes behind that one is a call like any other.
    func mayBeReplaced(_ call: Call) -> Bool {
        call.isLive && call.succession == nil && !hasSuccessor(call) && hasSpareCall
    }

    private func hasSuccessor(_ call: Call) -> Bool {
        phone.calls.contains { $0.succession?.predecessor == call.id }
    }

    /// A call that takes the place of another one is offered. When a person is in that one, or waits for its far end, it
    /// is answered at once; else it rings like any other.
    mutating func replacementOffered(_ leg: CallID, _ caller: Caller, for call: Call, _ replacedLeg: CallID) {
        var next = Call(
            id: leg, direction: .incoming, who: Identity(caller), account: caller.account, started: now, leg: leg,
            succession: CallReplacement(cause: .replacement, predecessor: call.id, leg: replacedLeg))
        next.who.find(in: phone.contacts)
        announce(next)
        guard phone[leg]?.isRinging == true, call.hasUserAudio else { return }
        perform(.answer(leg), as: panelAction())
        phone[leg]?.answerer = call.answerer == .nobody ? .nobody : .program
    }

    /// The call is up: the one whose place it takes is over, before this one sounds.
    ///
    /// - Returns: whether the person was muted, and so stays.
    mutating func succeed(_ id: CallID) -> Bool {
        guard let succession = phone[id]?.succession else { return false }
        phone[id]?.succession = nil
        let isMuted = phone[succession.predecessor]?.talk?.muted ?? false
        end(succession.predecessor, .transferred)
        return isMuted
    }

    /// The call that was put aside for its successor is there again.
    ///
    /// - Returns: whether there is one.
    mutating func comeBack(after call: Call, _ reason: EndReason) -> Bool {
        guard phone.mode == .running, let succession = call.succession, succession.cause == .referral,
            let before = phone[succession.predecessor], let talk = before.talk
        else { return false }
        // Whoever hangs up leaves the whole conversation.
        if reason == .hungUpHere {
            end(before.id, .hungUpHere)
        } else if talk.ownHold == .on {
            perform(.resume(before.id), as: panelAction())
        }
        return true
    }
}

extension Call {
    /// It takes over from that call without putting it aside first.
    func takesOver(from other: Call) -> Bool {
        succession.map { $0.cause == .replacement && $0.predecessor == other.id } ?? false
    }
}
