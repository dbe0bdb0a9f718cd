import PhoneCore

extension Notice {
    var words: String {
        switch self {
        case .callChanged(let call): call.words
        case .callEnded(let call, let reason): "\(call.call) ended: \(reason.words)"
        case .missedCall(let call, let reason): "missed \(party(call.number, call.name)): \(reason.rawValue)"
        case .missedCallsSeen: "missed calls seen"
        case .answeredElsewhere(let call): "\(call.call) answered elsewhere"
        case .callRefused(let call):
            "rejected \(party(call.number, call.name))\(call.from.map { " at \($0)" } ?? ""): \(call.reason.words)"
        case .transferAsked(let call, let question): "\(call.call) asks for a call to \(question.target)"
        case .transferAnswered(let call, let question, let answer):
            "a call to \(question.target) for \(call): \(answer.rawValue)"
        case .transferFailed(let call, let target):
            "\(call.call) of \(party(call.number, call.name)) not transferred to \(target)"
        case .codeTried(let call, let outcome): "\(call) dialled a code, \(outcome.words)"
        case .callDuration(let call, let seconds): "\(call) up for \(CallSummary.durationText(seconds: seconds))"
        case .registrationChanged(let account, let state): "\(account) \(state.words)"
        case .hookChanged(let position): spaced(position)
        case .keyPressed(let key): "key \(key.name)"
        case .toneChanged(let tone): tone.map { "\(spaced($0)) tone" } ?? "no tone"
        case .ringerChanged(let on): "bell \(onOff(on))"
        case .muteChanged(let on): "mute \(onOff(on))"
        case .routeChanged(let route, let before): "route \(route.rawValue) after \(before.rawValue)"
        case .volumeChanged(let kind, let level): "\(kind.rawValue) volume \(level)"
        case .doNotDisturbChanged(let on): "do not disturb \(onOff(on))"
        case .messagesWaiting(let account, let count): "\(count) messages at \(account)"
        case .inputChanged(let name, let active): "input \(name) \(onOff(active))"
        case .relayChanged(let number, let on): "relay \(number) \(onOff(on))"
        case .alarmRaised(let name, let outcome): "alarm of \(name): \(outcome.words)"
        case .firstVoice(let call): "\(call) first voice"
        case .dtmfReceived(let call, let symbol): "\(call) digit \(symbol.character) received"
        case .dtmfSent(let call): "\(call) digits sent"
        case .textReceived(let message): "text from \(party(message.number, message.name)): \(message.text)"
        case .recordingStarted(let call, let file): "\(call) is recorded into \(file)"
        case .recordingEnded(let call, let end): "recording of \(call) ended: \(end.words)"
        case .playbackStarted(let playback): playback.words
        case .playbackEnded(let playback, let end): "\(playback.words), ended: \(end.words)"
        case .pageStarted(let page): "page of \(page.label)"
        case .pageEnded(let page): "page of \(page.label) ended"
        case .pageNotHeard(let page, let obstacle): "page of \(page.label) not played: \(spaced(obstacle))"
        case .pageSendingStarted(let page): "page to \(page.label)"
        case .pageSendingEnded(let page, let end): "page to \(page.label) ended: \(spaced(end))"
        case .soundTested(let result): "test: \(result.sentence)"
        case .qualityUpdated(let call, let quality): "\(call) quality \(quality.rating.rawValue)"
        case .networkChanged(let status, let kind): "network \(status.rawValue), \(kind.rawValue)"
        case .displayChanged(let content): "display \(content.words)"
        case .networkTransition(let from, let to): "network from \(from.rawValue) to \(to.rawValue)"
        case .networkTimeout(let call): "\(call) ended: the network did not come back"
        case .interruptionChanged(let on): "interruption \(onOff(on))"
        case .organisationSwitching(let organisation): "switching to \(organisation)"
        case .organisationSwitched(let organisation): "switched to \(organisation.name)"
        case .organisationSwitchFailed(let failure): "organisation switch failed: \(failure.words)"
        case .signInCode(let code): "sign-in code \(code.code) for \(code.address)"
        case .signInFailed(let failure): "sign-in failed: \(failure.sentence)"
        case .signedIn(let user): "signed in as \(user.shown)"
        case .signedOut: "signed out"
        case .signInNeeded(let need): "sign-in needed: \(need.sentence)"
        case .credentialsRenewed(let organisation): "credentials for \(organisation.name) renewed"
        case .credentialsExpiring(let days): "credentials expire in \(days) days"
        case .trouble(let text, _): "trouble: \(text)"
        }
    }
}

extension Playback {
    var words: String { "\(file) plays into \(call)" }
}

extension PlaybackEnd {
    var words: String {
        switch self {
        case .finished: "finished"
        case .stopped: "stopped"
        case .failed(let why): why
        }
    }
}

extension RecordingEnd {
    var words: String {
        switch self {
        case .stopped: "stopped"
        case .tooLong: "too long"
        case .failed(let why): why
        }
    }
}

extension AlarmOutcome {
    var words: String {
        switch self {
        case .called(let call): "\(call)"
        case .waiting: "waiting"
        case .givenUp: "gave up"
        }
    }
}

extension CodeOutcome {
    var words: String {
        switch self {
        case .right(let relay): "which switches relay \(relay)"
        case .wrong(let left): "which is wrong; \(left) more lock the caller's codes"
        case .locked(let seconds): "but codes are locked for \(seconds) s"
        }
    }
}
