import Base

/// What Media tells about calls.
extension Turn {
    mutating func takeMedia(_ event: MediaEvent) {
        switch event {
        case .opened(let id, let endpoint): opened(id, endpoint)
        case .ready(let id): ready(id)
        case .failed(let id, let text):
            guard let call = phone[id], call.isLive else { return }
            notice(.trouble(text))
            end(id, .mediaFailed)
        case .firstVoice(let id): noticeOfVoice(id, .firstVoice(id))
        case .dtmfSent(let id): noticeOfVoice(id, .dtmfSent(id))
        case .dtmfReceived(let id, let symbol): digitHeard(id, symbol)
        case .silent(let id):
            guard let call = phone[id], call.microphone != nil, mustBeHeard(call) else { return }
            phone[id]?.lostAt = call.lostAt ?? now + (policy.silenceTime - policy.silenceReportedAfter)
        case .heard(let id): phone[id]?.lostAt = nil
        case .quality(let id, let quality):
            guard phone[id]?.microphone != nil else { return }
            phone[id]?.quality = quality
            notice(.qualityUpdated(id, quality))
        case .recordingStarted(let id, let file): recordingStarted(id, file)
        case .recordingEnded(let id, let end): recordingEnded(id, end)
        case .playbackStarted(let number): playbackStarted(number)
        case .playbackEnded(let number, let end): playbackEnded(number, end)
        case .deviceLost(let route, let text): deviceLost(route, text)
        case .deviceFound(let route): deviceFound(route)
        case .ringerLost(let text): notice(.trouble(text))
        case .ringerFound: return
        case .interrupted: interrupted()
        case .interruptionEnded: interruptionEnded()
        }
    }

    /// A far end that sends no voice, as a loudspeaker in a hall, is missed by nobody who can hang up. Where nobody answered
    /// by hand nobody would: it has to show by its reports that it is there.
    private func mustBeHeard(_ call: Call) -> Bool {
        guard let talk = call.talk, !talk.negotiated.receives else { return true }
        return call.isUnattended
    }

    /// A notice that means something only while the call's voice is on.
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

    /// Codec, keys and path stand. That voice is turned on follows from the new state, in `tell`.
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
        case .ringingOut(.placed(let until, let alerting, .connecting(let negotiated))):
            phone[id]?.state = .ringingOut(.placed(until: until, alerting: alerting, early: .audible(negotiated)))
        case .ringingOut, .idle, .ringingIn, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            return
        }
    }
}
