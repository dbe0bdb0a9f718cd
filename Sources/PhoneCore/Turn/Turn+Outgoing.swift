import Base

/// A call goes out and is waited for.
extension Turn {
    mutating func dial(_ text: String, account: AccountID?, as action: ActionID) throws(ActionFailure) {
        guard let target = DialTarget(text, shortNumbers: policy.shortNumbers) else { throw .invalidTarget }
        guard !phone.calls.contains(where: \.isTakingFloor) else { throw .alreadyUnderWay }
        guard phone.calls.count(where: \.isLive) < policy.maximumCalls, hasSpareCall else { throw .noRoom }
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        begin(action, .start, id, within: policy.startTime)
        phone.lastDialled = target.text
        phone.calls.append(
            Call(
                id: id, direction: .outgoing, number: target.text, name: nil,
                account: account ?? policy.defaultAccount, started: now, state: .ringingOut(.preparing(nil))))
        emit(.media(.open(id)))
        attendCall()
    }

    mutating func offerSent(_ id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingOut(.placing): place(id, alerting: false, early: .none)
        case .ringingOut(.preparing), .ringingOut(.placed), .idle, .ringingIn, .connecting, .active, .onHold,
            .reconnecting, .disconnecting, .ended, .failed:
            return
        }
    }

    mutating func ringingThere(_ id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingOut(.placing): place(id, alerting: true, early: .none)
        case .ringingOut(.placed(let until, _, let early)):
            phone[id]?.state = .ringingOut(.placed(until: until, alerting: true, early: early))
        case .ringingOut(.preparing), .idle, .ringingIn, .connecting, .active, .onHold, .reconnecting,
            .disconnecting, .ended, .failed:
            return
        }
    }

    mutating func earlyMedia(_ id: CallID, _ plan: MediaPlan) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingOut(.placing):
            place(id, alerting: false, early: .connecting(plan))
            emit(.media(.connect(id, plan)))
        case .ringingOut(.placed(let until, let alerting, let early)):
            let next = replaced(early, by: plan, of: id)
            phone[id]?.state = .ringingOut(.placed(until: until, alerting: alerting, early: next))
        case .ringingOut(.preparing), .idle, .ringingIn, .connecting, .active, .onHold, .reconnecting,
            .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func replaced(_ early: EarlyMedia, by plan: MediaPlan, of id: CallID) -> EarlyMedia {
        switch early {
        case .none:
            emit(.media(.connect(id, plan)))
            return .connecting(plan)
        case .connecting(let known):
            if plan != known { emit(.media(.update(id, plan))) }
            return .connecting(plan)
        case .audible(let known):
            if plan != known { emit(.media(.update(id, plan))) }
            return .audible(plan)
        }
    }

    /// The offer left; any sign of life from the far end says so too. The start is fulfilled: it can be cancelled.
    private mutating func place(_ id: CallID, alerting: Bool, early: EarlyMedia) {
        phone[id]?.state = .ringingOut(
            .placed(until: now + policy.ringingOutTime, alerting: alerting, early: early))
        settle(.start, of: id, .fulfilled)
    }

    /// Starting came to nothing.
    mutating func giveUpStarting(_ id: CallID) {
        guard let call = phone[id], case .ringingOut(let dialling) = call.state else { return }
        switch dialling {
        case .preparing where !phone.isReady(for: call):
            settle(.start, of: id, .failed(.lineNotReady))
            end(id, .lineNotReady)
        case .preparing(.none):
            settle(.start, of: id, .failed(.timedOut))
            end(id, .mediaFailed)
        case .preparing(.some):
            withdrawClaim(.timedOut)
        case .placing:
            settle(.start, of: id, .failed(.timedOut))
            end(id, .timedOut)
        case .placed:
            return
        }
    }
}
