import PhoneCore

extension Narrator {
    func remark(_ notice: Notice) -> Remark {
        switch notice {
        case .callChanged(let summary): .shown(summary.call)
        case .callEnded: .silence  // The phase and the record have it.
        case .missedCall(let summary, let reason): .deedOf(summary.call, "missed: \(reason.rawValue)")
        case .answeredElsewhere(let summary): .deedOf(summary.call, "tell: answered elsewhere")
        case .callRefused: .deed("tell: turned away")
        case .transferAsked(let summary, _): .deedOf(summary.call, "ask a person")
        case .transferAnswered(let id, _, let answer): .deedOf(id, "tell: transfer \(answer.rawValue)")
        case .transferFailed(let summary, _): .deedOf(summary.call, "tell: transfer failed")
        case .codeTried: .deed("tell: code tried")
        case .hookChanged, .keyPressed, .networkTransition, .callDuration: .silence
        case .toneChanged, .ringerChanged, .routeChanged, .volumeChanged, .relayChanged: .silence
        case .missedCallsSeen, .doNotDisturbChanged: .silence  // The vault's stored data has it.
        case .muteChanged(let isMuted): .deed(isMuted ? "tell: muted" : "tell: not muted")
        case .messagesWaiting: .deed("tell: messages waiting")
        case .registrationChanged(_, let state): .deed(state.isReady ? "tell: line ready" : "tell: line not ready")
        case .inputChanged: .deed("tell: input")
        case .alarmRaised: .deed("tell: alarm")
        case .firstVoice: .deed("tell: first voice")
        case .dtmfReceived: .deed("tell: digit received")
        case .dtmfSent: .deed("tell: digits sent")
        case .textReceived: .deed("tell: text")
        case .recordingStarted: .deed("tell: recorded")
        case .recordingEnded: .deed("tell: recording over")
        case .playbackStarted: .deed("tell: file played")
        case .playbackEnded: .deed("tell: file over")
        case .pageStarted: .deed("tell: page")
        case .pageEnded: .deed("tell: page over")
        case .pageNotHeard: .deed("tell: page not heard")
        case .pageSendingStarted: .deed("tell: page sent")
        case .pageSendingEnded(_, let end): .deed("tell: page sent is over (\(end.rawValue))")
        case .soundTested(let result): .deed("tell: test \(result.verdict.rawValue)")
        case .qualityUpdated: .deed("tell: quality")
        case .networkChanged(let status, _): .deed("tell: network \(status)")
        case .displayChanged: .deed("tell: display")
        case .networkTimeout: .deed("tell: network timeout")
        case .interruptionChanged(let isOn): .deed(isOn ? "tell: interrupted" : "tell: interruption over")
        case .organisationSwitching(let organisation): .deed("tell: switching to \(organisation)")
        case .organisationSwitched(let organisation): .deed("tell: switched to \(organisation.id)")
        case .organisationSwitchFailed(let failure): .deed("tell: switch failed (\(failure))")
        case .trouble: .deed("tell: trouble")
        }
    }
}
