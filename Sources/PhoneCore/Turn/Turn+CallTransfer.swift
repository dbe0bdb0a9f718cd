import Base

/// More than two people: transfer, blind and attended, and the conference.
extension Turn {
    /// Blind: the far end calls somebody else.
    mutating func transfer(_ wanted: CallID?, to text: String, as action: ActionID) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard let target = DialTarget(text, policy: policy) else { throw .invalidTarget }
        let leg = try transferable(call)
        begin(action, .transfer, call.id, within: policy.actionTime)
        phone[call.id]?.handover = CallTransfer()
        emit(.line(.transfer(leg, to: target.text)))
    }

    /// Attended: the far ends of two calls talk to each other.
    mutating func connect(_ first: CallID, _ second: CallID, as action: ActionID) throws(ActionFailure) {
        guard first != second, let call = phone[first], let other = phone[second] else { throw .noSuchCall }
        guard call.account == other.account else { throw .notSupported }
        let (leg, otherLeg) = (try transferable(call), try transferable(other))
        begin(action, .transfer, first, within: policy.actionTime)
        phone[first]?.handover = CallTransfer(partner: second)
        emit(.line(.connect(leg, otherLeg)))
    }

    private func transferable(_ call: Call) throws(ActionFailure) -> CallID {
        guard !phone.actions.contains(.transfer), call.handover == nil else { throw .alreadyUnderWay }
        switch call.state {
        case .active, .onHold:
            guard let leg = call.leg else { throw .wrongState }
            return leg
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// The far end takes it on, or does not. Until it is known what came of it the call stays.
    mutating func transferSettled(_ call: Call, _ isAccepted: Bool) {
        guard call.handover != nil else { return }
        if !isAccepted { phone[call.id]?.handover = nil }
        settle(.transfer, of: call.id, isAccepted ? .fulfilled : .failed(.refusedThere))
    }

    /// The far end talks to somebody else now, or is still ours.
    mutating func transferred(_ call: Call, _ isDone: Bool) {
        guard let handover = call.handover else { return }
        phone[call.id]?.handover = nil
        settle(.transfer, of: call.id, isDone ? .fulfilled : .failed(.refusedThere))
        if isDone {
            end(call.id, .transferred)
            if let partner = handover.partner { end(partner, .transferred) }
        } else {
            notice(.trouble("\(call.id) could not be transferred"))
            takeBack(call)
        }
    }

    /// Whoever put a call aside only to give it away has it again.
    private mutating func takeBack(_ call: Call) {
        guard call.ownHold == .on, !phone.calls.contains(where: \.hasUserAudio) else { return }
        attendCall()
        perform(.resume(call.id), as: panelAction())
    }

    /// Why a call ended that its far end left: a far end that was handed over goes.
    func reasonOnTheWire(_ call: Call, _ reason: EndReason) -> EndReason {
        guard reason == .hungUpThere else { return reason }
        let isGivenAway = call.handover != nil || phone.calls.contains { $0.handover?.partner == call.id }
        let isSucceeded = phone.calls.contains { $0.succession?.predecessor == call.id }
        return isGivenAway || isSucceeded ? .transferred : reason
    }

    /// The voices of the two calls hear each other: the held one is taken back beside the other.
    mutating func confer() throws(ActionFailure) {
        guard policy.mixesCalls else { throw .notSupported }
        guard !phone.conference else { throw .alreadyUnderWay }
        let up = phone.calls.filter(\.isUp)
        let held = up.filter { $0.ownHold == .on }
        guard up.count == 2, held.count == 1, !phone.calls.contains(where: \.isTakingAudioFocus) else {
            throw .wrongState
        }
        let isMuted = phone.focus?.talk?.muted ?? false
        phone.conference = true
        phone.consultation = nil
        editTalk(held[0].id) { talk, _ in (talk.ownHold, talk.muted) = (.queued, isMuted) }
    }

    /// A conference is over when one of its calls is, or is held.
    mutating func keepConference() {
        guard phone.conference else { return }
        phone.conference = phone.calls.count { $0.isUp && $0.ownHold != .on } > 1
    }
}
