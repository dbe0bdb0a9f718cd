import PhoneCore

extension PhoneEffect {
    /// The call that an effect names, if it names one.
    package var call: CallID? {
        switch self {
        case .panel, .display, .stopped, .vault, .callerInfo, .backend: nil
        case .line(let effect):
            switch effect {
            case .dial(let id, _, _, _, _), .alert(let id), .answer(let id, _, _), .candidates(let id, _, _),
                .refuse(let id, _), .end(let id, _),
                .hold(let id, _), .dtmf(let id, _), .move(let id, _), .transfer(let id, _), .connect(let id, _),
                .follow(let id, _, _, _),
                .declineReferral(let id), .redirect(let id, _), .pickUp(let id, _, _):
                id
            case .orphanBye, .reconnect, .disconnect, .reconfigure, .shutDown: nil
            }
        case .media(let effect):
            switch effect {
            case .open(let id, _), .gather(let id), .connect(let id, _), .activate(let id), .update(let id, _),
                .microphone(let id, _),
                .holdMusic(let id, _), .dtmf(let id, _, _), .release(let id):
                id
            // A recording may be stopped when its call is over.
            case .tone, .ring, .keyClick, .route, .pause, .volume, .conference, .record, .play, .page, .sendPage,
                .testSound, .joinPages:
                nil
            }
        case .control(.called(_, let id)): id
        case .control(.settled), .control(.snapshot), .control(.signInCode), .control(.organisations): nil
        case .control(.notice(let notice)):
            switch notice {
            case .callChanged(let summary), .callEnded(let summary, _), .missedCall(let summary, _),
                .answeredElsewhere(let summary), .transferAsked(let summary, _), .transferFailed(let summary, _):
                summary.call
            case .firstVoice(let id), .dtmfReceived(let id, _), .dtmfSent(let id), .qualityUpdated(let id, _),
                .callDuration(let id, _), .networkTimeout(let id), .transferAnswered(let id, _, _),
                .codeTried(let id, _):
                id
            case .callRefused, .registrationChanged, .hookChanged, .keyPressed, .toneChanged, .ringerChanged,
                .muteChanged,
                .routeChanged, .missedCallsSeen, .volumeChanged, .doNotDisturbChanged, .messagesWaiting,
                .inputChanged, .relayChanged, .alarmRaised, .displayChanged, .networkChanged, .networkTransition,
                .interruptionChanged,
                .organisationSwitching, .organisationSwitched, .organisationSwitchFailed, .textReceived,
                .recordingStarted, .recordingEnded, .playbackStarted, .playbackEnded, .pageStarted, .pageEnded,
                .pageNotHeard, .pageSendingStarted, .pageSendingEnded, .soundTested, .signInCode, .signInFailed,
                .signedIn, .signedOut, .signInNeeded, .credentialsRenewed, .credentialsExpiring, .trouble:
                nil
            }
        }
    }
}
