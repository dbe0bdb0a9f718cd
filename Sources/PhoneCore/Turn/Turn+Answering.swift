import Base

/// A call is answered, by a person here or at the far end.
extension Turn {
    /// A person answers. From here the caller is as good as answered: a second press finds `connecting`.
    mutating func answer(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.calls.first(where: \.isRinging) else {
            throw wanted == nil && phone.actions.contains(.answer) ? .alreadyUnderWay : .noSuchCall
        }
        switch call.state {
        case .ringingIn(let ringing):
            guard !phone.calls.contains(where: { $0.isTakingAudioFocus && !call.takesOver(from: $0) }) else {
                throw .alreadyUnderWay
            }
            begin(action, .answer, call.id, within: policy.answerTime)
            phone[call.id]?.answerer = action.source == .panel ? .person : .program
            phone[call.id]?.state = .connecting(
                Connecting(stage: .preparing(ringing), until: now + policy.answerTime))
            wakeLine(of: call)
            attendCall()
        case .connecting:
            throw call.direction == .incoming ? .alreadyUnderWay : .wrongState
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// Answers on a route that needs no handset.
    mutating func answer(_ call: Call, on route: Route) {
        setRoute(route)
        listenForDigits()
        perform(.answer(call.id), as: panelAction())
    }

    /// A call that needs its line does not wait until that tries again by itself.
    mutating func wakeLine(of call: Call) {
        guard !phone.isReady(for: call), phone.registrations[call.account] != .registering else { return }
        emit(.line(.reconnect(call.account)))
    }

    /// Both ends agree: the far end answered, or our answer left.
    mutating func answered(_ call: Call, _ negotiated: NegotiatedMedia) {
        var call = call
        switch call.state {
        case .connecting(let connecting):
            switch connecting.stage {
            case .answering: setUp(&call, negotiated, until: connecting.until)
            case .preparing, .settingUp: return
            }
        case .ringingOut(.placing): setUp(&call, negotiated, until: now + policy.connectTime)
        case .ringingOut(.placed(_, _, let early)): pickUp(&call, negotiated, early)
        case .ringingOut(.preparing), .idle, .ringingIn, .active, .onHold, .reconnecting, .disconnecting, .ended,
            .failed:
            return
        }
        call.answered = now
        call.endsBy = policy.maximumCallTime.map { now + $0 }
        // An offer that was answered was sent, whatever became of the word of it.
        settle(.start, of: call.id, .fulfilled)
        phone[call.id] = call
        meetPath(call.id, since: now)
    }

    private mutating func setUp(_ call: inout Call, _ negotiated: NegotiatedMedia, until: Instant) {
        call.state = .connecting(Connecting(stage: .settingUp(negotiated, heldThere: false), until: until))
        emit(.media(.connect(call.id, negotiated)))
    }

    /// The far end answers; what it sent before may already stand, or sound.
    private mutating func pickUp(_ call: inout Call, _ negotiated: NegotiatedMedia, _ early: EarlyMedia) {
        switch early {
        case .none:
            setUp(&call, negotiated, until: now + policy.connectTime)
        case .connecting(let known):
            let stage = Connecting.Stage.settingUp(negotiated, heldThere: false)
            call.state = .connecting(Connecting(stage: stage, until: now + policy.connectTime))
            if negotiated != known { emit(.media(.update(call.id, negotiated))) }
        case .audible(let known):
            var talk = Talk(negotiated: negotiated)
            talk.muted = succeed(call.id)
            call.succession = nil
            becomeTalking(&call, talk)
            if negotiated != known { emit(.media(.update(call.id, negotiated))) }
        }
    }

    /// What a later process needs to say goodbye; kept with the call when that is up.
    mutating func remember(_ call: Call, _ memo: String) {
        if call.isLive { phone[call.id]?.memo = memo }
    }

    /// Answering came to nothing, because line, sockets, media or the other call did not get ready.
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
