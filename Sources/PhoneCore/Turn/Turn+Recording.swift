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
