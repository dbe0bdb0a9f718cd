import PhoneCore

extension Notice: Sampled {
    static var first: Notice { .callChanged(Sample.summary) }

    var next: Notice? {
        switch self {
        case .callChanged: .callEnded(Sample.summary, .mediaLost)
        case .callEnded: .missedCall(Sample.summary, .doNotDisturb)
        case .missedCall: .missedCallsSeen
        case .missedCallsSeen: .answeredElsewhere(Sample.summary)
        case .answeredElsewhere:
            .callRefused(
                RefusedCall(
                    account: Sample.account, number: Sample.number, name: Sample.text, from: "192.0.2.1",
                    reason: .noProtection))
        case .callRefused: .transferAsked(Sample.summary, Sample.question)
        case .transferAsked: .transferAnswered(Sample.incoming, Sample.question, .expired)
        case .transferAnswered: .transferFailed(Sample.summary, to: Sample.number)
        case .transferFailed: .codeTried(Sample.incoming, .locked(seconds: 60))
        case .codeTried: .callDuration(Sample.incoming, seconds: 3_600)
        case .callDuration: .registrationChanged(Sample.account, .registered)
        case .registrationChanged: .hookChanged(.offHook)
        case .hookChanged: .keyPressed(.line(8))
        case .keyPressed: .toneChanged(nil)
        case .toneChanged: .ringerChanged(on: true)
        case .ringerChanged: .muteChanged(true)
        case .muteChanged: .routeChanged(.speaker, before: .handset)
        case .routeChanged: .volumeChanged(.call, 3)
        case .volumeChanged: .doNotDisturbChanged(true)
        case .doNotDisturbChanged: .messagesWaiting(Sample.account, 2)
        case .messagesWaiting: .inputChanged("door", active: false)
        case .inputChanged: .relayChanged(1, on: true)
        case .relayChanged: .alarmRaised("door", .called(Sample.incoming))
        case .alarmRaised: .firstVoice(Sample.incoming)
        case .firstVoice: .dtmfReceived(Sample.incoming, .star)
        case .dtmfReceived: .dtmfSent(Sample.incoming)
        case .dtmfSent:
            .textReceived(
                TextMessage(account: Sample.account, number: Sample.number, name: Sample.name, text: Sample.text))
        case .textReceived: .qualityUpdated(Sample.incoming, Sample.quality)
        case .qualityUpdated: .recordingStarted(Sample.incoming, file: Sample.text)
        case .recordingStarted: .recordingEnded(Sample.incoming, .failed(Sample.text))
        case .recordingEnded: .playbackStarted(Playback(number: 7, call: Sample.incoming, file: Sample.text))
        case .playbackStarted(let playback): .playbackEnded(playback, .failed(Sample.text))
        case .playbackEnded: .pageStarted(Page(group: 1, label: Sample.text))
        case .pageStarted(let page): .pageEnded(page)
        case .pageEnded(let page): .pageNotHeard(page, .doNotDisturb)
        case .pageNotHeard(let page, _): .pageSendingStarted(page)
        case .pageSendingStarted(let page): .pageSendingEnded(page, .tooLong)
        case .pageSendingEnded: .soundTested(SoundTestResult(route: .speaker, verdict: .ok, before: -80.5, during: -40))
        case .soundTested: .displayChanged(Sample.display)
        case .displayChanged: .networkChanged(.disconnected, .none)
        case .networkChanged: .networkTransition(from: .cellular, to: .wired)
        case .networkTransition: .networkTimeout(Sample.incoming)
        case .networkTimeout: .interruptionChanged(true)
        case .interruptionChanged: .organisationSwitching(Sample.organisation.id)
        case .organisationSwitching: .organisationSwitched(Sample.organisation)
        case .organisationSwitched: .organisationSwitchFailed(.parse)
        case .organisationSwitchFailed: .signInCode(Sample.signInCode)
        case .signInCode: .signInFailed(.api(403, Sample.text))
        case .signInFailed: .signedIn(Sample.user)
        case .signedIn: .signedOut
        case .signedOut: .signInNeeded(.deviceTokenRefused)
        case .signInNeeded: .credentialsRenewed(Sample.organisation)
        case .credentialsRenewed: .credentialsExpiring(days: 0)
        case .credentialsExpiring: .trouble(Sample.text, .vault)
        case .trouble: nil
        }
    }
}
