import PhoneCore

extension PhoneEvent {
    /// The event as text for people, in one line. It may contain any text from a far end.
    var words: String {
        switch self {
        case .panel(let event): event.words
        case .line(let event): event.words
        case .media(let event): event.words
        case .vault(let event): event.words
        case .network(.path(let path)):
            "network path: " + ([path.kind.rawValue] + path.addresses).joined(separator: " ")
        case .callerInfo(let event): event.words
        case .backend(let event): event.words
        case .request(let action, let request): "\(action): \(request.words)"
        case .clock(let time): "the clock shows \(time.words)"
        case .policyChanged: "the configuration changed"
        case .deadline: "deadline"
        case .shutDown: "asked to shut down"
        }
    }
}

extension WeekTime {
    /// The day and the time, for example `friday 17:05`.
    fileprivate var words: String {
        let (day, minute) = rawValue.quotientAndRemainder(dividingBy: Self.minutesOfDay)
        let clock = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(Day(rawValue: day).map { "\($0)" } ?? "") \(clock)"
    }
}

extension PanelEvent {
    var words: String {
        switch self {
        case .hookFound(.offHook): "handset found lifted"
        case .hookFound(.onHook): "handset found in its cradle"
        case .hook(.offHook): "handset lifted"
        case .hook(.onHook): "handset replaced"
        case .pressed(let key): "key \(key.name) pressed"
        case .released(let key): "key \(key.name) released"
        case .input(let name, let active): "input \(name) \(onOff(active))"
        case .failed(let why): "panel failed: \(why)"
        }
    }
}

extension LineEvent {
    var words: String {
        switch self {
        case .registration(let account, let state): "\(account) \(state.words)"
        case .offered(let call, let caller): "\(call) offered by \(party(caller.number, caller.displayName))"
        case .refused(let caller, let address, let reason):
            "\(party(caller.number, caller.displayName)) at \(address) rejected: \(reason.words)"
        case .offerSent(let call): "\(call) offer sent"
        case .ringing(let call): "\(call) rings at the far end"
        case .earlyMedia(let call, let plan): "\(call) early media: \(plan.words)"
        case .answered(let call, let plan): "\(call) answered: \(plan.words)"
        case .memo(let call, _): "\(call) memo for a BYE after a crash"
        case .renegotiated(let call, let plan, let held):
            "\(call) renegotiated\(held ? ", held there" : ""): \(plan.words)"
        case .displayUpdated(let call, _, _, standing: .doubted): "\(call) claims to be another party"
        case .displayUpdated(let call, let name, let number, _):
            "\(call) shown as \([number, name.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: " "))"
        case .holdSettled(let call, let plan): "\(call) hold settled: \(plan?.words ?? "refused")"
        case .holdDelayed(let call, let delay): "\(call) hold collided with the far end's; retry in \(delay)"
        case .moved(let call, let plan): "\(call) moved: \(plan?.words ?? "refused")"
        case .transferSettled(let call, let accepted): "\(call) transfer \(accepted ? "accepted" : "refused")"
        case .transferred(let call, let succeeded): "\(call) \(succeeded ? "is" : "could not be") transferred"
        case .referred(let call, let number): "\(call) asks for a call to \(number)"
        case .redirected(let call, let number): "\(call) redirects to \(number)"
        case .dtmfSent(let call, let unsent):
            "\(call) digits sent by signalling" + (unsent.isEmpty ? "" : ", but \(unsent.words)")
        case .dtmfReceived(let call, let symbol): "\(call) digit \(symbol.character) received by signalling"
        case .text(let sender, let text): "text from \(party(sender.number, sender.displayName)): \(text)"
        case .watched(let number, let state): "\(number.number) with \(number.account) is \(state.rawValue)"
        case .messagesWaiting(let account, let count): "\(account) keeps \(count) messages"
        case .endTold(let call, let told):
            "\(call) end explained: "
                + [told.cause, told.code.map { "\($0)" }, told.text].compactMap(\.self).joined(separator: " ")
        case .ended(let call, let reason): "\(call) ended by the line: \(reason.words)"
        }
    }
}

extension MediaEvent {
    var words: String {
        switch self {
        case .opened(let call, let endpoint): "\(call) media open at port \(endpoint.port)"
        case .candidates(let call, let candidates, let isLast):
            "\(call) \(candidates.count) more candidates" + (isLast ? ", the last ones" : "")
        case .gathered(let call, _): "\(call) candidates gathered"
        case .pathDoubted(let call): "\(call) path lost or silent"
        case .ready(let call): "\(call) media ready"
        case .failed(let call, let why): "\(call) media failed: \(why)"
        case .keyShown(let call, let key): "\(call) key shown: \(key.words)"
        case .firstVoice(let call): "\(call) first voice"
        case .dtmfSent(let call): "\(call) digits sent"
        case .dtmfReceived(let call, let symbol): "\(call) digit \(symbol.character) received"
        case .silent(let call): "\(call) receives nothing"
        case .heard(let call): "\(call) receives again"
        case .sendingFailed(let call, let why): "\(call) sending fails: \(why)"
        case .sendingResumed(let call): "\(call) sending works again"
        case .quality(let call, let quality): "\(call) quality \(quality.rating.rawValue)"
        case .recordingStarted(let call, let file): "\(call) is recorded into \(file)"
        case .recordingEnded(let call, let end): "recording of \(call) ended: \(end.words)"
        case .playbackStarted(let number): "file \(number) plays"
        case .playbackEnded(let number, let end): "file \(number) stopped playing: \(end.words)"
        case .pageStarted(let group): "page in group \(group)"
        case .pageEnded(let group): "page in group \(group) ended"
        case .pageUnsent(let group, let why): "page to group \(group) was not sent: \(why)"
        case .soundTested(let number, .heard(let before, let during)):
            "test \(number): \(before) dB before, \(during) dB during"
        case .soundTested(let number, .noDevice): "test \(number): no device"
        case .deviceLost(let route, let why): "\(route.rawValue) lost: \(why)"
        case .deviceFound(let route): "\(route.rawValue) found"
        case .devicePresent(let route): "\(route.rawValue) present"
        case .deviceAbsent(let route): "\(route.rawValue) absent"
        case .ringerLost(let why): "ringer lost: \(why)"
        case .ringerFound: "ringer found"
        case .interrupted: "sound interrupted"
        case .interruptionEnded: "sound interruption ended"
        }
    }
}

extension VaultEvent {
    var words: String {
        switch self {
        case .orphanFound(let call): "a call was up before: \(call.call) \(party(call.number, call.name))"
        case .ringingFound(let call): "a call rang before: \(call.call) \(party(call.number, call.name))"
        case .remembered(let memory): "remembered: \(memory.contacts.count) contacts"
        case .contacts(let contacts): "contacts changed: \(contacts.count)"
        case .contextKept(_, let kept): "organisation \(kept ? "kept" : "not kept")"
        case .failed(let why): "vault failed: \(why)"
        }
    }
}

extension BackendEvent {
    var words: String {
        switch self {
        case .restored(let user, let context):
            "signed in before as \(user.shown)" + (context.map { " for \($0.organisation.name)" } ?? "")
        case .signInWaitsForTime: "the sign-in waits for the time"
        case .signInCode(let code): "sign-in code \(code.code) for \(code.address)"
        case .signInFailed(let failure): "sign-in failed: \(failure.sentence)"
        case .signedIn(let user, let context):
            "signed in as \(user.shown)" + (context.map { " for \($0.organisation.name)" } ?? "")
        case .signedOut: "signed out"
        case .signInNeeded(let need): "sign-in needed: \(need.sentence)"
        case .organisations(let list): "\(list.count) organisations"
        case .organisationsFailed(let failure): "no list of organisations: \(failure.words)"
        case .switched(let context): "switched to \(context.organisation.name)"
        case .switchFailed(let failure): "organisation switch failed: \(failure.words)"
        case .credentialsRenewed(let context): "credentials for \(context.organisation.name) renewed"
        case .credentialsExpiring(let days): "credentials expire in \(days) days"
        }
    }
}

extension CallerInfoEvent {
    var words: String {
        switch self {
        case .incoming(let info): "caller info: \(party(info.number, info.name)) calls"
        case .ended(let info): "caller info: \(party(info.number, info.name)) ended"
        case .invalid(let why): "caller info: invalid, \(why)"
        case .refused(let why): "caller info: the broker refuses this phone, \(why)"
        }
    }
}

extension Request {
    var words: String {
        switch self {
        case .dial(let target, let account, let presentation):
            "dial \(target)" + (account.map { " with \($0)" } ?? "") + (presentation?.words ?? "")
        case .pickUp(let number, let account): "pick up at \(number)" + (account.map { " with \($0)" } ?? "")
        case .answer(let call): "answer" + named(call)
        case .hangUp(let call): "hang up" + named(call)
        case .decline(let call): "decline" + named(call)
        case .hold(let call): "hold" + named(call)
        case .resume(let call): "resume" + named(call)
        case .toggleHold(let call): "hold or resume" + named(call)
        case .mute(let on): "mute \(onOff(on))"
        case .toggleMute: "toggle mute"
        case .dtmf(let call, let elements): "send digits \(elements.words)" + named(call)
        case .route(let route): "route \(route.rawValue)"
        case .speaker(let on): "speaker \(onOff(on))"
        case .toggleSpeaker: "speaker key"
        case .transfer(let call, let target): "transfer\(named(call)) to \(target)"
        case .connect(let first, let second): "connect \(first) with \(second)"
        case .conference: "conference"
        case .acceptTransfer(let call): "accept the far end's transfer" + named(call)
        case .declineTransfer(let call): "decline the far end's transfer" + named(call)
        case .startRecording(let call): "record" + named(call)
        case .stopRecording: "stop recording"
        case .compareWords(let call, let agree): "the words \(agree ? "agree" : "differ")" + named(call)
        case .startPlayback(let file, let call): "play \(file)" + named(call)
        case .stopPlayback: "stop playing"
        case .startPage(let group): "page group \(group)"
        case .stopPage: "stop paging"
        case .testSound(let route): "test the \(route.map(\.rawValue) ?? "usual route")"
        case .silenceRinger: "silence the ringer"
        case .connectAccounts: "register"
        case .disconnectAccounts: "unregister"
        case .reconnect: "register again"
        case .doNotDisturb(let on): "do not disturb \(onOff(on))"
        case .volume(let kind, let level): "\(kind.rawValue) volume \(level)"
        case .reset: "reset"
        case .switchOrganisation(let organisation): "switch to \(organisation)"
        case .organisations: "list the organisations"
        case .signIn: "sign in"
        case .cancelSignIn: "cancel the sign-in"
        case .signOut: "sign out"
        case .relay(let number, let order): "relay \(number) \(spaced(order))"
        case .clearMissedCalls(let call): "missed calls seen" + named(call)
        case .status: "snapshot"
        }
    }

    private func named(_ call: CallID?) -> String { call.map { " \($0)" } ?? "" }
}

extension CallPresentation {
    /// How a call presents itself. Headers appear by name only.
    var words: String {
        var words: [String] = []
        if callerName != nil || callerNumber != nil {
            words.append("as " + [callerName, callerNumber].compactMap(\.self).joined(separator: ", "))
        }
        if !headers.isEmpty { words.append("with " + headers.map(\.name).joined(separator: ", ")) }
        return words.map { "; " + $0 }.joined()
    }
}
