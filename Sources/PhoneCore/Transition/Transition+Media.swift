import Base

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

/// Candidates of this phone that are found after a call's sockets were opened (RFC 8838).
extension Transition {
    /// Sends the candidates to a far end that has our offer or answer; otherwise adds them to the offer or answer.
    mutating func found(_ candidates: [String], isLast: Bool, of id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingIn(var ringing):
            ringing.endpoint = ringing.endpoint?.adding(candidates, isLast: isLast)
            phone[id]?.state = .ringingIn(ringing)
        case .connecting(var connecting):
            switch connecting.stage {
            case .preparing(var ringing):
                ringing.endpoint = ringing.endpoint?.adding(candidates, isLast: isLast)
                connecting.stage = .preparing(ringing)
                phone[id]?.state = .connecting(connecting)
            case .answering, .settingUp: tell(candidates, isLast: isLast, of: call)
            }
        case .ringingOut(.preparing(let endpoint)):
            phone[id]?.state = .ringingOut(.preparing(endpoint?.adding(candidates, isLast: isLast)))
        case .ringingOut(.dialling), .ringingOut(.dialled), .active, .onHold:
            tell(candidates, isLast: isLast, of: call)
        case .reconnecting(_, let recovery):
            // A move sends all candidates again.
            if !recovery.isMoving { tell(candidates, isLast: isLast, of: call) }
        case .idle, .disconnecting, .ended, .failed:
            return
        }
    }

    private mutating func tell(_ candidates: [String], isLast: Bool, of call: Call) {
        guard let leg = call.leg else { return }
        emit(.line(.candidates(leg, candidates, isLast: isLast)))
    }
}

extension MediaEndpoint {
    /// The most candidates that a description may have.
    private static let candidateLimit = 64

    /// This endpoint with candidates that were found since. A complete one takes no others.
    fileprivate func adding(_ candidates: [String], isLast: Bool) -> MediaEndpoint {
        guard var ice, ice.isIncomplete == true else { return self }
        ice.description.candidates = Array((ice.description.candidates + candidates).prefix(Self.candidateLimit))
        if isLast { ice.isIncomplete = nil }
        return MediaEndpoint(port: port, ice: ice, fingerprint: fingerprint, source: source)
    }
}

/// The recording of a call. Only one is possible at a time.
enum CallRecording: Equatable, Codable, Sendable {
    case on(CallID)
    /// Nothing more is recorded. It is not known yet whether the file is complete.
    case ending(CallID)

    var call: CallID {
        switch self {
        case .on(let call), .ending(let call): call
        }
    }

    /// The call that is being recorded.
    var recorded: CallID? {
        switch self {
        case .on(let call): call
        case .ending: nil
        }
    }
}

/// The playback of a file. Only one is possible at a time.
enum CallPlayback: Equatable, Codable, Sendable {
    /// It is not known yet whether the file can be played.
    case opening(Playback)
    case playing(Playback)

    var playback: Playback {
        switch self {
        case .opening(let playback), .playing(let playback): playback
        }
    }
}

/// Recording a call into a file, if the configuration allows it (spec §14).
extension Transition {
    /// The action is done when the file is there.
    mutating func startRecording(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        guard policy.recordsCalls else { throw .notSupported }
        let call = try meantOrFocus(wanted, \.isUp)
        guard phone.recording == nil else { throw .alreadyUnderWay }
        guard call.isUp else { throw .wrongState }
        begin(action, .startRecording, call.id, within: policy.actionTime)
        phone.recording = .on(call.id)
    }

    /// The action is done when the file is complete.
    mutating func stopRecording(as action: ActionID) throws(ActionFailure) {
        // The call may have ended in this very transition.
        guard let call = phone.recording?.recorded, phone[call]?.isUp == true else { throw .wrongState }
        begin(action, .stopRecording, call, within: policy.actionTime)
        phone.recording = .ending(call)
    }

    mutating func recordingStarted(_ id: CallID, _ file: String) {
        guard phone.recording?.call == id else { return }
        settle(.startRecording, of: id, .fulfilled)
        notice(.recordingStarted(id, file: file))
    }

    mutating func recordingEnded(_ id: CallID, _ end: RecordingEnd) {
        guard phone.recording?.call == id else { return }
        phone.recording = nil
        switch end {
        case .stopped, .tooLong: settle(.startRecording, of: id, .fulfilled)
        case .failed(let text):
            settle(.startRecording, of: id, .failed(.file(text)))
            notice(.trouble(text, .recording))
        }
        settle(.stopRecording, of: id, .fulfilled)
        notice(.recordingEnded(id, end))
    }

    /// Ends the recording when its call has ended.
    mutating func keepRecording() {
        guard let id = phone.recording?.recorded, !(phone[id]?.isUp ?? false) else { return }
        phone.recording = .ending(id)
    }
}

/// Playing a file into a call, if the configuration allows it.
extension Transition {
    /// The action is done when the sound begins. A file that is being played is stopped first.
    mutating func startPlayback(_ file: String, _ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        guard policy.playsFiles else { throw .notSupported }
        let call = try meantOrFocus(wanted, \.mayHearFiles)
        guard call.mayHearFiles else { throw .wrongState }
        if case .opening = phone.playback { throw .alreadyUnderWay }
        endPlayback(.stopped)
        begin(action, .startPlayback, call.id, within: policy.actionTime)
        phone.playbacks &+= 1
        phone.playback = .opening(Playback(number: phone.playbacks, call: call.id, file: file))
    }

    mutating func stopPlayback() throws(ActionFailure) {
        guard phone.playback != nil else { throw .wrongState }
        endPlayback(.stopped)
    }

    mutating func playbackStarted(_ number: UInt32) {
        guard case .opening(let playback) = phone.playback, playback.number == number else { return }
        phone.playback = .playing(playback)
        settle(.startPlayback, of: playback.call, .fulfilled)
        notice(.playbackStarted(playback))
    }

    mutating func playbackEnded(_ number: UInt32, _ end: PlaybackEnd) {
        if phone.playback?.playback.number == number { endPlayback(end) }
    }

    /// Stops the playback when its call is held or has ended.
    mutating func keepPlayback() {
        guard let id = phone.playback?.playback.call, !(phone[id]?.mayHearFiles ?? false) else { return }
        endPlayback(.stopped)
    }

    private mutating func endPlayback(_ end: PlaybackEnd) {
        let ended = phone.playback
        phone.playback = nil
        switch ended {
        case .opening(let playback): settle(.startPlayback, of: playback.call, end.outcomeOfStart)
        case .playing(let playback): notice(.playbackEnded(playback, end))
        case nil: return
        }
    }
}

extension PlaybackEnd {
    /// The outcome of a start that is still pending.
    fileprivate var outcomeOfStart: ActionOutcome {
        switch self {
        case .finished: .fulfilled
        case .stopped: .failed(.wrongState)
        case .failed(let text): .failed(.file(text))
        }
    }
}

extension Call {
    /// Whether the far end may hear files. It hears nothing of this phone from the moment in which a hold is requested.
    fileprivate var mayHearFiles: Bool {
        if case .onHold = state { return false }
        return ownHold == .off
    }
}
