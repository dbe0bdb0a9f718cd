import Base

/// A call comes in and is answered.
extension Turn {
    mutating func offered(_ id: CallID, _ caller: Caller) {
        // Calls from outside are numbered by their line; a repeated offer is the same call.
        guard case .line = id.origin, phone[id] == nil else { return }
        let hasRoom = phone.calls.count(where: \.isLive) < policy.maximumCalls && hasSpareCall
        phone.calls.append(
            Call(
                id: id, direction: .incoming, number: caller.number, name: caller.displayName,
                account: caller.account, started: now))
        guard phone.mode == .running else { return end(id, .shutDown) }
        guard hasRoom else { return end(id, .refusedBusy) }
        phone[id]?.state = .ringingIn(Ringing(until: now + policy.ringingInTime))
        emit(.line(.alert(id)))
        emit(.media(.open(id)))
    }

    var hasSpareCall: Bool { phone.calls.count < policy.maximumCalls + PhoneState.spareCalls }

    /// A person answers. From here the caller is as good as answered: a second press finds `connecting`.
    mutating func answer(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.calls.first(where: \.isRinging) else {
            throw wanted == nil && phone.actions.contains(.answer) ? .alreadyUnderWay : .noSuchCall
        }
        switch call.state {
        case .ringingIn(let ringing):
            guard !phone.calls.contains(where: \.isTakingFloor) else { throw .alreadyUnderWay }
            begin(action, .answer, call.id, within: policy.answerTime)
            phone[call.id]?.state = .connecting(
                Connecting(stage: .preparing(ringing), until: now + policy.answerTime))
            attendCall()
        case .connecting:
            throw call.direction == .incoming ? .alreadyUnderWay : .wrongState
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// Both ends agree: the far end answered, or our answer left.
    mutating func answered(_ id: CallID, _ plan: MediaPlan) {
        guard var call = phone[id] else { return }
        switch call.state {
        case .connecting(let connecting):
            switch connecting.stage {
            case .answering: setUp(&call, plan, until: connecting.until)
            case .preparing, .settingUp: return
            }
        case .ringingOut(.placing): setUp(&call, plan, until: now + policy.connectTime)
        case .ringingOut(.placed(_, _, let early)): pickUp(&call, plan, early)
        case .ringingOut(.preparing), .idle, .ringingIn, .active, .onHold, .reconnecting, .disconnecting, .ended,
            .failed:
            return
        }
        call.answered = now
        // An offer that was answered was sent, whatever became of the word of it.
        settle(.start, of: id, .fulfilled)
        phone[id] = call
    }

    private mutating func setUp(_ call: inout Call, _ plan: MediaPlan, until: Instant) {
        call.state = .connecting(Connecting(stage: .settingUp(plan), until: until))
        emit(.media(.connect(call.id, plan)))
    }

    /// The far end answers; what it sent before may already stand, or sound.
    private mutating func pickUp(_ call: inout Call, _ plan: MediaPlan, _ early: EarlyMedia) {
        switch early {
        case .none:
            setUp(&call, plan, until: now + policy.connectTime)
        case .connecting(let known):
            call.state = .connecting(Connecting(stage: .settingUp(plan), until: now + policy.connectTime))
            if plan != known { emit(.media(.update(call.id, plan))) }
        case .audible(let known):
            becomeTalking(&call, Talk(plan: plan))
            if plan != known { emit(.media(.update(call.id, plan))) }
        }
    }

    /// Answering came to nothing, because line, sockets, media or the other call did not get ready.
    mutating func giveUpConnecting(_ id: CallID) {
        guard let call = phone[id], case .connecting(let connecting) = call.state else { return }
        switch connecting.stage {
        case .preparing where !phone.isReady(for: call):
            settle(.answer, of: id, .failed(.lineNotReady))
            end(id, .lineNotReady)
        case .preparing(let ringing) where ringing.endpoint != nil:
            withdrawClaim(.timedOut)
        case .preparing, .settingUp:
            settle(.answer, of: id, .failed(.timedOut))
            end(id, .mediaFailed)
        case .answering:
            settle(.answer, of: id, .failed(.timedOut))
            end(id, .timedOut)
        }
    }
}
