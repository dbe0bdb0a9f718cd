import Base

/// Actions: begun, and settled exactly once.
extension Turn {
    /// An identifier for what a person at the panel asks, or the machine on a person's behalf.
    mutating func panelAction() -> ActionID {
        phone.panelActions += 1
        return ActionID(.panel, phone.panelActions)
    }

    mutating func begin(_ id: ActionID, _ kind: ActionLedger.Kind, _ call: CallID, within time: Duration) {
        phone.actions.begin(ActionLedger.Entry(id: id, kind: kind, call: call, due: now + time))
    }

    /// Settles what was asked of this call, if it was.
    mutating func settle(_ kind: ActionLedger.Kind, of call: CallID, _ outcome: ActionOutcome) {
        guard let id = phone.actions.take(kind, of: call) else { return }
        emit(.control(.settled(id, outcome)))
    }

    /// Settles an action that was never begun: it is done, or refused, at once.
    mutating func settleAtOnce(_ id: ActionID, _ outcome: ActionOutcome) {
        emit(.control(.settled(id, outcome)))
    }

    /// The watchdog. Fails the action and leaves its call in a state that a person can leave.
    mutating func overrun(_ entry: ActionLedger.Entry) {
        switch entry.kind {
        case .answer: giveUpConnecting(entry.call)
        case .start: giveUpStarting(entry.call)
        case .end: break  // The BYE is over at the same instant.
        case .hold: break  // The line goes on negotiating, and the microphone stays closed meanwhile.
        case .resume: stopQueueing(entry.call)
        case .transfer: break  // The calls stay as they are until the line knows more.
        case .startRecording: phone.recording = .ending(entry.call)
        case .stopRecording: break  // The disk is slow; nothing is recorded any more.
        case .startPlayback: phone.playback = nil
        }
        settle(entry.kind, of: entry.call, .failed(.timedOut))
    }
}
