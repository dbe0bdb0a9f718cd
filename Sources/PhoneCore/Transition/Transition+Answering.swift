import Base

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

/// Media's events about calls.
extension Transition {
    mutating func takeMedia(_ event: MediaEvent) {
        switch event {
        case .opened(let id, let endpoint): opened(id, endpoint)
        case .candidates(let id, let candidates, let isLast): found(candidates, isLast: isLast, of: id)
        case .gathered(let id, let endpoint): gathered(id, endpoint)
        case .pathDoubted(let id): pathDoubted(id)
        case .ready(let id): ready(id)
        case .failed(let id, let text):
            guard let call = phone[id], call.isLive else { return }
            notice(.trouble(text, .media))
            end(id, .mediaFailed)
        case .keyShown(let id, let shown): keyShown(id, shown)
        case .firstVoice(let id):
            earlyVoice(of: id, comes: true)
            noticeOfVoice(id, .firstVoice(id))
        case .dtmfSent(let id): noticeOfVoice(id, .dtmfSent(id))
        case .dtmfReceived(let id, let symbol): digitPlayed(id, symbol)
        case .silent(let id):
            earlyVoice(of: id, comes: false)
            guard let call = phone[id], call.microphone != nil, mustBeHeard(call) else { return }
            phone[id]?.lostAt = call.lostAt ?? now + (policy.silenceTime - policy.silenceReportedAfter)
        case .heard(let id):
            earlyVoice(of: id, comes: true)
            phone[id]?.lostAt = nil
        case .sendingFailed(let id, let why):
            guard let call = phone[id], call.microphone != nil else { return }
            phone[id]?.sendFault = why
            notice(.trouble("the voice cannot be sent to \(call.who.words): \(why)", .voiceNotSent))
        case .sendingResumed(let id): phone[id]?.sendFault = nil
        case .quality(let id, let quality):
            guard phone[id]?.microphone != nil else { return }
            phone[id]?.quality = quality
            notice(.qualityUpdated(id, quality))
        case .recordingStarted(let id, let file): recordingStarted(id, file)
        case .recordingEnded(let id, let end): recordingEnded(id, end)
        case .playbackStarted(let number): playbackStarted(number)
        case .playbackEnded(let number, let end): playbackEnded(number, end)
        case .pageStarted(let number): pageStarted(number)
        case .pageEnded(let number): pageEnded(number)
        case .pageUnsent(let number, let text): pageUnsent(number, text)
        case .soundTested(let number, let reading): soundTested(number, reading)
        case .deviceLost(let route, let text): deviceLost(route, text)
        case .deviceFound(let route): deviceFound(route)
        case .devicePresent(let route): devicePresent(route)
        case .deviceAbsent(let route): deviceAbsent(route)
        case .ringerLost(let text): notice(.trouble(text, .ringer))
        case .ringerFound: return
        case .interrupted: interrupted()
        case .interruptionEnded: interruptionEnded()
        }
    }

    /// Voice comes before the far end has answered, or has stopped. If the far end agreed to send none, only its RTCP
    /// reports came.
    private mutating func earlyVoice(of id: CallID, comes: Bool) {
        guard case .ringingOut(.dialled(let until, let alerting, let early)) = phone[id]?.state, early.isSetUp,
            let negotiated = early.negotiated
        else { return }
        let next = comes && negotiated.receives ? EarlyMedia.audible(negotiated) : .silent(negotiated)
        phone[id]?.state = .ringingOut(.dialled(until: until, alerting: alerting, early: next))
    }

    /// Whether silence may end the call. A far end that agreed to send no voice, such as a loudspeaker in a hall, may
    /// be silent if a person can hang up. In an unattended call nobody would, so RTCP reports have to show that the far
    /// end is there.
    private func mustBeHeard(_ call: Call) -> Bool {
        guard let talk = call.talk, !talk.negotiated.receives else { return true }
        return call.isUnattended
    }

    /// Sends a notice that is meaningful only while the call's voice is on.
    private mutating func noticeOfVoice(_ id: CallID, _ event: Notice) {
        if phone[id]?.microphone != nil { notice(event) }
    }

    private mutating func opened(_ id: CallID, _ endpoint: MediaEndpoint) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingIn(var ringing):
            ringing.endpoint = ringing.endpoint ?? endpoint
            phone[id]?.state = .ringingIn(ringing)
        case .connecting(var connecting):
            guard case .preparing(var ringing) = connecting.stage else { return }
            ringing.endpoint = ringing.endpoint ?? endpoint
            connecting.stage = .preparing(ringing)
            phone[id]?.state = .connecting(connecting)
        case .ringingOut(.preparing(nil)):
            phone[id]?.state = .ringingOut(.preparing(endpoint))
        case .ringingOut, .idle, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            return
        }
    }

    /// Codec, keys and path are set up. `tell` turns voice on, because the state has changed.
    private mutating func ready(_ id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .connecting(let connecting):
            guard case .settingUp(let negotiated, let heldThere) = connecting.stage else { return }
            var talk = Talk(negotiated: negotiated)
            talk.heldThere = heldThere
            talk.muted = succeed(id)
            phone[id]?.state = talk.state
            meetPath(id, since: now)
            settle(.answer, of: id, .fulfilled)
        case .ringingOut(.dialled(let until, let alerting, .connecting(let negotiated))):
            let early = EarlyMedia.awaited(negotiated, until: now + EarlyMedia.patience).replacing(negotiated)
            phone[id]?.state = .ringingOut(.dialled(until: until, alerting: alerting, early: early))
        case .ringingOut, .idle, .ringingIn, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            return
        }
    }
}
