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
