import Base

/// Outgoing calls, until the far end answers.
extension Transition {
    /// Dials the first target, and the others in turn if it cannot be reached.
    ///
    /// - Parameters:
    ///   - pickup: The number whose ringing call is to be picked up. Nil: the number is called.
    ///   - presentation: The caller identity and headers of this call, in place of the account's.
    mutating func dial(
        _ wanted: SpeedDial, pickingUp pickup: WatchedNumber? = nil, showing presentation: CallPresentation? = nil,
        as action: ActionID
    ) throws(ActionFailure) {
        guard let target = DialTarget(wanted.targets[0], policy: policy) else { throw .invalidTarget }
        // Dialling would stop the bell for a ringing call, and no person would hear its waiting tone.
        guard phone.summons == nil || phone.userAudio != .closed else { throw .wrongState }
        guard !phone.calls.contains(where: \.isTakingAudioFocus) else { throw .alreadyUnderWay }
        guard phone.liveCalls < policy.maximumCalls, hasSpareCall else { throw .noRoom }
        let account = wanted.account ?? policy.defaultAccount
        guard phone.registrations[account] != .disconnected || policy.isEmergency(target.text) else {
            throw .lineNotReady
        }
        phone.callsMade += 1
        let id = CallID(.phone, phone.callsMade)
        begin(action, .start, id, within: policy.startTime)
        phone.lastDialled = target.text
        var call = Call(
            id: id, direction: .outgoing, who: Identity(number: target.text),
            account: account, started: now, leg: id, untried: Array(wanted.targets.dropFirst()),
            presentation: presentation, pickup: pickup, state: .ringingOut(.preparing(nil)))
        call.who.find(in: phone.contacts)
        if pickup == nil { call.vouched = AssertedNumber(dialled: target.text) }
        phone.calls.append(call)
        emit(.media(.open(id, account)))
        if action.source == .control { emit(.control(.called(action, id))) }
        wakeLine(of: call)
        attendCall()
    }

    /// Dials the next target, before the person hears that this one failed.
    /// - Returns: Whether there was a next one.
    mutating func dialNext(after call: Call, _ reason: EndReason) -> Bool {
        guard call.direction == .outgoing, call.answered == nil, reason.triesNext, !call.untried.isEmpty,
            phone.mode == .running
        else { return false }
        let next = SpeedDial(call.untried, account: call.account)
        do throws(ActionFailure) {
            let action = panelAction()
            try dial(next, as: action)
            return true
        } catch {
            return false
        }
    }

    mutating func offerSent(_ call: Call) {
        switch call.state {
        case .ringingOut(.dialling): dialled(call.id, alerting: false, early: .none)
        case .ringingOut(.preparing), .ringingOut(.dialled), .idle, .ringingIn, .connecting, .active, .onHold,
            .reconnecting, .disconnecting, .ended, .failed:
            return
        }
    }

    mutating func ringingThere(_ call: Call) {
        switch call.state {
        case .ringingOut(.dialling): dialled(call.id, alerting: true, early: .none)
        case .ringingOut(.dialled(let until, _, let early)):
            phone[call.id]?.state = .ringingOut(.dialled(until: until, alerting: true, early: early))
        case .ringingOut(.preparing), .idle, .ringingIn, .connecting, .active, .onHold, .reconnecting,
            .disconnecting, .ended, .failed:
            return
        }
    }

    mutating func earlyMedia(_ call: Call, _ negotiated: NegotiatedMedia) {
        switch call.state {
        case .ringingOut(.dialling):
            dialled(call.id, alerting: false, early: .connecting(negotiated))
            emit(.media(.connect(call.id, negotiated)))
        case .ringingOut(.dialled(let until, let alerting, let early)):
            let next = replaced(early, by: negotiated, of: call.id)
            phone[call.id]?.state = .ringingOut(.dialled(until: until, alerting: alerting, early: next))
        case .ringingOut(.preparing), .idle, .ringingIn, .connecting, .active, .onHold, .reconnecting,
            .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func replaced(_ early: EarlyMedia, by negotiated: NegotiatedMedia, of id: CallID) -> EarlyMedia {
        if let known = early.negotiated {
            if negotiated != known { emit(.media(.update(id, negotiated))) }
        } else {
            emit(.media(.connect(id, negotiated)))
        }
        return early.replacing(negotiated)
    }

    /// The offer was sent. Any response from the far end shows that, too. The start is fulfilled, because the call can
    /// be cancelled.
    private mutating func dialled(_ id: CallID, alerting: Bool, early: EarlyMedia) {
        phone[id]?.state = .ringingOut(
            .dialled(until: now + policy.ringingOutTime, alerting: alerting, early: early))
        settle(.start, of: id, .fulfilled)
    }

    /// The call could not be started in time.
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
        case .dialling:
            settle(.start, of: id, .failed(.timedOut))
            end(id, .timedOut)
        case .dialled:
            return
        }
    }
}
