import PhoneCore

extension Narrator {
    func remark(_ notice: Notice) -> Remark {
        switch notice {
        case .callChanged(let summary): .shown(summary.call)
        case .callEnded: .silence  // The phase and the record have it.
        case .missedCall(let summary, let reason): .deedOf(summary.call, "missed: \(reason.rawValue)")
        case .answeredElsewhere(let summary): .deedOf(summary.call, "notice: answered elsewhere")
        case .callRefused: .deed("notice: call rejected")
        case .transferAsked(let summary, _): .deedOf(summary.call, "ask a person")
        case .transferAnswered(let id, _, let answer): .deedOf(id, "notice: transfer \(answer.rawValue)")
        case .transferFailed(let summary, _): .deedOf(summary.call, "notice: transfer failed")
        case .codeTried: .deed("notice: code tried")
        case .hookChanged, .keyPressed, .networkTransition, .callDuration: .silence
        case .toneChanged, .ringerChanged, .routeChanged, .volumeChanged, .relayChanged: .silence
        case .missedCallsSeen, .doNotDisturbChanged: .silence  // The vault's stored data has it.
        case .muteChanged(let isMuted): .deed(isMuted ? "notice: muted" : "notice: not muted")
        case .messagesWaiting: .deed("notice: messages waiting")
        case .registrationChanged(_, let state): .deed(state.isReady ? "notice: line ready" : "notice: line not ready")
        case .inputChanged: .deed("notice: input")
        case .alarmRaised: .deed("notice: alarm")
        case .firstVoice: .deed("notice: first voice")
        case .dtmfReceived: .deed("notice: digit received")
        case .dtmfSent: .deed("notice: digits sent")
        case .textReceived: .deed("notice: text")
        case .recordingStarted: .deed("notice: recording started")
        case .recordingEnded: .deed("notice: recording ended")
        case .playbackStarted: .deed("notice: file started")
        case .playbackEnded: .deed("notice: file ended")
        case .pageStarted: .deed("notice: page started")
        case .pageEnded: .deed("notice: page ended")
        case .pageNotHeard: .deed("notice: page not played")
        case .pageSendingStarted: .deed("notice: page sending started")
        case .pageSendingEnded(_, let end): .deed("notice: page sending ended (\(end.rawValue))")
        case .soundTested(let result): .deed("notice: test \(result.verdict.rawValue)")
        case .qualityUpdated: .deed("notice: quality")
        case .networkChanged(let status, _): .deed("notice: network \(status)")
        case .displayChanged: .deed("notice: display")
        case .networkTimeout: .deed("notice: network timeout")
        case .interruptionChanged(let isOn): .deed(isOn ? "notice: interrupted" : "notice: interruption ended")
        case .organisationSwitching(let organisation): .deed("notice: switching to \(organisation)")
        case .organisationSwitched(let organisation): .deed("notice: switched to \(organisation.id)")
        case .organisationSwitchFailed(let failure): .deed("notice: switch failed (\(failure))")
        case .signInCode: .deed("notice: sign-in code")
        case .signInFailed: .deed("notice: sign-in failed")
        case .signedIn: .deed("notice: signed in")
        case .signedOut: .deed("notice: signed out")
        case .signInNeeded: .deed("notice: sign-in needed")
        case .credentialsRenewed: .deed("notice: credentials renewed")
        case .credentialsExpiring: .deed("notice: credentials expire")
        case .trouble: .deed("notice: error")
        }
    }
}
