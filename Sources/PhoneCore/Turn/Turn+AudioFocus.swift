import Base

/// One call has the sound. Whoever sets out for it (an answer, a start, a resume) waits until every other call is held,
/// and until line, offer, organisation and sockets are there; each event may be the one that was missing.
extension Turn {
    mutating func advance() {
        guard let call = phone.claimant else { return }
        // Asked first: holding the other call takes a while, and the rest may come meanwhile.
        let floorIsFree = clearAudioFocus(for: call)
        guard floorIsFree else { return }
        let addresses = phone.network.believed?.addresses
        switch call.state {
        case .connecting(let connecting):
            guard case .preparing(let ringing) = connecting.stage, let endpoint = ringing.endpoint,
                phone.isReady(for: call), let leg = call.leg, worksForItsOrganisation(call)
            else { return }
            phone[call.id]?.state = .connecting(Connecting(stage: .answering, until: connecting.until))
            phone[call.id]?.addresses = addresses
            emit(.line(.answer(leg, endpoint, awaitingACK: call.answerer != .person)))
        case .ringingOut(let dialling):
            guard case .preparing(let endpoint?) = dialling, phone.isReady(for: call) else { return }
            phone[call.id]?.state = .ringingOut(.placing)
            phone[call.id]?.addresses = addresses
            if let succession = call.succession {
                emit(.line(.follow(call.id, after: succession.leg, account: call.account, endpoint)))
            } else if let number = call.pickup {
                emit(.line(.pickUp(call.id, number, endpoint)))
            } else {
                emit(.line(.place(call.id, target: call.who.number, account: call.account, endpoint)))
            }
        case .active, .onHold, .reconnecting:
            guard let leg = call.leg else { return }
            editTalk(call.id) { talk, turn in
                talk.ownHold = .releasing(until: turn.now + turn.policy.negotiationTime)
            }
            emit(.line(.hold(leg, false)))
        case .idle, .ringingIn, .disconnecting, .ended, .failed:
            return
        }
    }

    /// Whether no other call has the sound. Asks every other that has it to be held, unless the two are to share it.
    private mutating func clearAudioFocus(for call: Call) -> Bool {
        if phone.conference && call.isUp { return true }
        var isFree = true
        for other in phone.calls where other.id != call.id && !call.takesOver(from: other) {
            switch other.state {
            case .idle, .ringingIn, .disconnecting, .ended, .failed:
                continue
            case .ringingOut, .connecting:
                isFree = false
            case .active(let talk), .onHold(let talk):
                if talk.ownHold == .off { hold(other.id, as: panelAction()) }
                isFree = isFree && talk.isHeldHere
            case .reconnecting(let talk, _):
                isFree = isFree && talk.isHeldHere
            }
        }
        return isFree
    }

    /// The call that has the sound would not let go: whoever wanted it goes back to where it was.
    mutating func withdrawClaim(_ failure: ActionFailure) {
        guard let call = phone.claimant else { return }
        switch call.state {
        case .connecting(let connecting):
            guard case .preparing(let ringing) = connecting.stage else { return }
            settle(.answer, of: call.id, .failed(failure))
            phone[call.id]?.state = .ringingIn(ringing)
            // Its ringing time went on meanwhile.
            if ringing.due <= now { end(call.id, .noAnswer) }
        case .ringingOut:
            settle(.start, of: call.id, .failed(failure))
            end(call.id, .timedOut)
        case .active, .onHold, .reconnecting:
            settle(.resume, of: call.id, .failed(failure))
            stopQueueing(call.id)
        case .idle, .ringingIn, .disconnecting, .ended, .failed:
            return
        }
    }
}
