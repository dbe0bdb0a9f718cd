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
        guard call.direction == .outgoing, call.answered == nil, reason.consequences.triesNext, !call.untried.isEmpty,
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

/// Answering a call, by a person here or at the far end.
extension Transition {
    /// Answers a call here. From now on the call counts as answered: a second press finds it in `connecting`.
    mutating func answer(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        if wanted == nil, !phone.calls.contains(where: \.isRinging) {
            // The phone rings for the call that a person left on hold.
            if let recall = phone.recall { return try resume(recall.call, as: action) }
            throw phone.actions.contains(.answer) ? .alreadyUnderWay : .noSuchCall
        }
        let call = try meant(wanted, \.isRinging)
        switch call.state {
        case .ringingIn(let ringing):
            let others = phone.calls.filter { $0.isTakingAudioFocus && !call.takesOver(from: $0) }
            guard others.allSatisfy({ mayGiveWay($0, to: call) }) else { throw .alreadyUnderWay }
            begin(action, .answer, call.id, within: policy.answerTime)
            phone[call.id]?.answerer = action.source == .panel ? .person : .program
            phone[call.id]?.state = .connecting(
                Connecting(stage: .preparing(ringing), until: now + policy.answerTime))
            wakeLine(of: call)
            attendCall()
            for other in others { end(other.id, .hungUpHere) }
        case .connecting:
            throw call.direction == .incoming ? .alreadyUnderWay : .wrongState
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// Whether a call may be given up so that another one can be answered. Otherwise two people who dial each other at
    /// the same time could not answer. An emergency call goes on. A call that replaces another one neither gives way
    /// nor makes one give way.
    private func mayGiveWay(_ call: Call, to other: Call) -> Bool {
        guard case .ringingOut = call.state else { return false }
        return call.replacement == nil && other.replacement == nil && !policy.isEmergency(call.who.number)
    }

    /// Answers on a route that needs no handset.
    mutating func answer(_ call: Call, on route: Route, isChosen: Bool = true) {
        setRoute(route, isChosen: isChosen)
        listenForDigits()
        perform(.answer(call.id), as: panelAction())
    }

    /// Registers a line that is not ready at once, so that the call does not wait for the line's next attempt.
    /// A line that somebody disconnected is woken for an emergency number only.
    mutating func wakeLine(of call: Call) {
        guard !phone.isReady(for: call) else { return }
        switch phone.registrations[call.account] {
        case .registering: return
        case .disconnected: guard policy.isEmergency(call.who.number) else { return }
        case .none, .failed, .notNeeded, .registered: break
        }
        emit(.line(.reconnect(call.account)))
    }

    /// Gives a call that was answered here more time until its media is set up, and its action with it.
    mutating func allowTime(_ id: CallID, until: Instant) {
        guard case .connecting(var connecting) = phone[id]?.state else { return }
        connecting.until = max(connecting.until, until)
        phone[id]?.state = .connecting(connecting)
        phone.actions.extend(.answer, of: id, to: until)
    }

    /// Both ends agree: the far end answered, or our answer was sent.
    mutating func answered(_ call: Call, _ negotiated: NegotiatedMedia) {
        var call = call
        switch call.state {
        case .connecting(let connecting):
            switch connecting.stage {
            case .answering: setUp(&call, negotiated, until: connecting.until)
            case .preparing, .settingUp: return
            }
        case .ringingOut(.dialling): setUp(&call, negotiated, until: now + policy.connectTime)
        case .ringingOut(.dialled(_, _, let early)): pickUp(&call, negotiated, early)
        case .ringingOut(.preparing), .idle, .ringingIn, .active, .onHold, .reconnecting, .disconnecting, .ended,
            .failed:
            return
        }
        call.answered = now
        call.endsBy = policy.maximumCallTime.map { now + $0 }
        // An offer that was answered must have been sent, even if the line did not report it.
        settle(.start, of: call.id, .fulfilled)
        phone[call.id] = call
        meetPath(call.id, since: now)
    }

    private mutating func setUp(_ call: inout Call, _ negotiated: NegotiatedMedia, until: Instant) {
        call.state = .connecting(Connecting(stage: .settingUp(negotiated, heldThere: false), until: until))
        emit(.media(.connect(call.id, negotiated)))
    }

    /// The far end answers. Its early media may already be set up or audible.
    private mutating func pickUp(_ call: inout Call, _ negotiated: NegotiatedMedia, _ early: EarlyMedia) {
        switch early {
        case .none:
            setUp(&call, negotiated, until: now + policy.connectTime)
        case .connecting(let known):
            let stage = Connecting.Stage.settingUp(negotiated, heldThere: false)
            call.state = .connecting(Connecting(stage: stage, until: now + policy.connectTime))
            if negotiated != known { emit(.media(.update(call.id, negotiated))) }
        case .awaited(let known, _), .audible(let known), .silent(let known):
            var talk = Talk(negotiated: negotiated)
            talk.muted = succeed(call.id)
            call.replacement = nil
            becomeTalking(&call, talk)
            if negotiated != known { emit(.media(.update(call.id, negotiated))) }
        }
    }

    /// Remembers the data that a later process needs to send BYE. The vault stores it once the call is up.
    mutating func remember(_ call: Call, _ memo: String) {
        if call.isLive { phone[call.id]?.memo = memo }
    }

    /// Answering failed: the line, the sockets, media or the other call did not get ready in time.
    mutating func giveUpConnecting(_ id: CallID) {
        guard let call = phone[id], case .connecting(let connecting) = call.state else { return }
        switch connecting.stage {
        case .preparing where call.leg == nil:
            end(id, .noOffer)
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
