import Base

/// More than two people: transfer, blind and attended, and the conference.
extension Turn {
    /// Blind: the far end calls somebody else.
    mutating func transfer(_ wanted: CallID?, to text: String, as action: ActionID) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard let target = DialTarget(text, policy: policy) else { throw .invalidTarget }
        let leg = try transferable(call)
        begin(action, .transfer, call.id, within: policy.actionTime)
        emit(.line(.transfer(leg, to: target.text)))
    }

    /// Attended: the far ends of two calls talk to each other.
    mutating func connect(_ first: CallID, _ second: CallID, as action: ActionID) throws(ActionFailure) {
        guard first != second, let call = phone[first], let other = phone[second] else { throw .noSuchCall }
        let (leg, otherLeg) = (try transferable(call), try transferable(other))
        begin(action, .transfer, first, within: policy.actionTime)
        phone[first]?.partner = second
        emit(.line(.connect(leg, otherLeg)))
    }

    private func transferable(_ call: Call) throws(ActionFailure) -> CallID {
        guard !phone.actions.contains(.transfer) else { throw .alreadyUnderWay }
        switch call.state {
        case .active, .onHold:
            guard let leg = call.leg else { throw .wrongState }
            return leg
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// The far end goes, or stays.
    mutating func transferSettled(_ call: Call, _ isAccepted: Bool) {
        guard phone.actions.contains(.transfer, of: call.id) else { return }
        settle(.transfer, of: call.id, isAccepted ? .fulfilled : .failed(.refusedThere))
        phone[call.id]?.partner = nil
        guard isAccepted else { return }
        end(call.id, .transferred)
        if let partner = call.partner { end(partner, .transferred) }
    }

    /// The voices of the two calls hear each other: the held one is taken back beside the other.
    mutating func confer() throws(ActionFailure) {
        guard policy.mixesCalls else { throw .notSupported }
        guard !phone.conference else { throw .alreadyUnderWay }
        let up = phone.calls.filter { $0.talk != nil }
        let held = up.filter { $0.talk?.ownHold == .on }
        guard up.count == 2, held.count == 1, !phone.calls.contains(where: \.isTakingFloor) else { throw .wrongState }
        phone.conference = true
        phone.consultation = nil
        editTalk(held[0].id) { talk, _ in talk.ownHold = .queued }
    }

    /// A conference is over when one of its calls is, or is held.
    mutating func keepConference() {
        guard phone.conference else { return }
        phone.conference = phone.calls.count { $0.talk.map { $0.ownHold != .on } ?? false } > 1
    }
}
