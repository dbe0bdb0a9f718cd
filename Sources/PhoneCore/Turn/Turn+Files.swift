/// A call into a file, where the configuration allows it (spec §14).
extension Turn {
    /// Done when the file is there.
    mutating func startRecording(_ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        guard policy.recordsCalls else { throw .notSupported }
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard phone.recording == nil else { throw .alreadyUnderWay }
        guard call.isUp else { throw .wrongState }
        begin(action, .startRecording, call.id, within: policy.actionTime)
        phone.recording = .on(call.id)
    }

    /// Done when the file is complete.
    mutating func stopRecording(as action: ActionID) throws(ActionFailure) {
        guard let call = phone.recording?.recorded else { throw .wrongState }
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
            notice(.trouble(text))
        }
        settle(.stopRecording, of: id, .fulfilled)
        notice(.recordingEnded(id, end))
    }

    /// With the call its recording is over.
    mutating func keepRecording() {
        guard let id = phone.recording?.recorded, !(phone[id]?.isUp ?? false) else { return }
        phone.recording = .ending(id)
    }
}

/// A file into a call, where the configuration allows it.
extension Turn {
    /// Done when its sound begins. A file that is being played gives way to it.
    mutating func startPlayback(_ file: String, _ wanted: CallID?, as action: ActionID) throws(ActionFailure) {
        guard policy.playsFiles else { throw .notSupported }
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
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

    /// Who is held, or gone, hears no file.
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
    /// What becomes of who still waits for the beginning.
    fileprivate var outcomeOfStart: ActionOutcome {
        switch self {
        case .finished: .fulfilled
        case .stopped: .failed(.wrongState)
        case .failed(let text): .failed(.file(text))
        }
    }
}

extension Call {
    /// From the moment in which somebody wants it held it hears nothing of this phone.
    fileprivate var mayHearFiles: Bool {
        if case .onHold = state { return false }
        return ownHold == .off
    }
}
