import Base

/// The handling of one event: the phone's next state, and the effects on the way to it.
///
/// The files of this folder are its parts, one concern each. A call: `Incoming`, `CallSetup` (dialled and answered),
/// `Holding`, `Transfer` (also what far ends may ask for), `Identity` (who they are), `Ending`. What a call needs:
/// `Sound` (audio focus and routes), `Media` (its events, candidates of ICE, recordings and playback), `Network`,
/// `Organisation`, `Backend` (sign-in and credentials). The person: `Panel` (hook and keys), `Dialling`. Programs:
/// `Requests`. The folder `Features` has alarms, pages, relay codes and sound tests, each with its part of the
/// transition.
///
/// `PhoneMachine.handle` lists the steps of an event. This file has the first one, the deadlines that have passed, and
/// the reports of what has changed, which end it. It also has the events of lines and of the vault.
/// Where a call's state matters, the code lists all ten states.
struct Transition {
    var phone: PhoneState
    private(set) var policy: PhonePolicy
    /// The policy before this event, if the event changes it.
    private(set) var formerPolicy: PhonePolicy?
    let now: Instant
    private(set) var effects: [PhoneEffect] = []
    /// Whether nothing has happened except that calls became a second longer. Then nothing else has to be reported.
    var onlySecondsPassed = true
    /// What became of a message of caller info.
    var receipt: (ticket: UInt32, outcome: CallerInfoOutcome)?
    /// Why the page that the person spoke is over, if that is known.
    var pageEnd: PageSendingEnd?

    init(phone: PhoneState, policy: PhonePolicy, now: Instant) {
        self.phone = phone
        self.policy = policy
        self.now = now
    }

    mutating func takeLine(_ event: LineEvent) {
        switch event {
        case .registration(let account, let registration): registered(account, registration)
        case .messagesWaiting(let account, let count): messagesWait(account, count)
        case .watched(let number, let state): watched(number, state)
        case .offered(let leg, let caller): offered(leg, caller)
        case .refused(let caller, let address, let reason): refused(caller, from: address, because: reason)
        case .offerSent(let leg): phone.call(ofLeg: leg).map { offerSent($0) }
        case .ringing(let leg): phone.call(ofLeg: leg).map { ringingThere($0) }
        case .earlyMedia(let leg, let negotiated): phone.call(ofLeg: leg).map { earlyMedia($0, negotiated) }
        case .answered(let leg, let negotiated): phone.call(ofLeg: leg).map { answered($0, negotiated) }
        case .memo(let leg, let memo): phone.call(ofLeg: leg).map { remember($0, memo) }
        case .renegotiated(let leg, let negotiated, let held):
            phone.call(ofLeg: leg).map { renegotiated($0.id, negotiated, heldThere: held) }
        case .displayUpdated(let leg, let name, let number, let standing):
            phone.call(ofLeg: leg).map { displayUpdated($0, name: name, number: number, standing) }
        case .holdSettled(let leg, let negotiated): phone.call(ofLeg: leg).map { holdSettled($0.id, negotiated) }
        case .holdDelayed(let leg, let delay): phone.call(ofLeg: leg).map { holdDelayed($0, by: delay) }
        case .moved(let leg, let negotiated): phone.call(ofLeg: leg).map { moved($0, negotiated) }
        case .transferSettled(let leg, let accepted): phone.call(ofLeg: leg).map { transferSettled($0, accepted) }
        case .transferred(let leg, let isDone): phone.call(ofLeg: leg).map { transferred($0, isDone) }
        case .referred(let leg, let number): phone.call(ofLeg: leg).map { referred($0, to: number) }
        case .redirected(let leg, let number): phone.call(ofLeg: leg).map { redirected($0, to: number) }
        case .dtmfSent(let leg, let unsent): phone.call(ofLeg: leg).map { digitsLeft($0, unsent: unsent) }
        case .dtmfReceived(let leg, let symbol): phone.call(ofLeg: leg).map { digitInformed($0.id, symbol) }
        case .text(let sender, let text): textCame(from: sender, text)
        case .endTold(let leg, let told): phone.call(ofLeg: leg).map { endTold($0.id, told) }
        case .ended(let leg, let reason):
            phone.call(ofLeg: leg).map { legEnded($0, reason) }
        }
    }

    private mutating func legEnded(_ call: Call, _ reason: EndReason) {
        if isLostBySwitch(call, reason) { return }
        end(call.id, reasonOnTheWire(call, reason), overOnTheWire: true)
    }

    mutating func takeVault(_ event: VaultEvent) {
        switch event {
        case .orphanFound(let orphan): orphanFound(orphan)
        case .ringingFound(let call): ringingFound(call)
        case .remembered(let memory): remember(memory)
        case .contacts(let contacts): learn(contacts)
        case .contextKept(let ticket, let isKept): contextKept(ticket, isKept)
        case .failed(let text): notice(.trouble(text, .vault))
        }
    }

    private mutating func registered(_ account: AccountID, _ registration: RegistrationState) {
        // A line reports its end, too.
        guard policy.has(account) else { return }
        let known = phone.registrations[account]
        guard known != registration, known != nil || phone.registrations.count < PhoneState.mostAccounts else { return }
        phone.registrations[account] = registration
        notice(.registrationChanged(account, registration))
        signallingChanged(of: account, from: known, to: registration)
        switchRegistered(account, registration)
    }

    /// Calls and actions keep the deadlines that they have. Everything else follows the new policy from now on, the
    /// rights of callers too.
    mutating func policyChanged(_ new: PhonePolicy) {
        // An event log is untrusted.
        guard new != policy, new.isSound else { return }
        (formerPolicy, policy) = (policy, new)
        // Nobody could switch off a relay that is no longer configured.
        phone.relays = phone.relays.filter { new.relays[$0.key] != nil }
        phone.alarms = phone.alarms.filter { new.alarms[$0.key] != nil }
        phone.registrations = phone.registrations.filter { new.has($0.key) }
        phone.messages = phone.messages.filter { new.has($0.key) }
        let watched = new.watchedNumbers
        phone.watched = phone.watched.filter { watched.contains($0.key) }
        if formerPolicy?.soundTest != new.soundTest { phone.soundTest.due = nil }
        // Without flashes, a cradle that is down hangs up.
        if new.flash == nil, phone.cradleDown != nil { hungUp() }
    }

    mutating func emit(_ effect: PhoneEffect) { effects.append(effect) }
    mutating func notice(_ notice: Notice) { emit(.control(.notice(notice))) }
}

/// The effects of deadlines that have passed.
extension Transition {
    /// Does everything that is due, in the order in which it fell due. Each step removes its own deadline or moves it
    /// beyond `now`, so the loop ends.
    mutating func expire() {
        phone.recentCalls.forget(before: now - policy.memoryTime)
        while let next = phone.next(policy), next.due <= now {
            switch next.what {
            case .second(let id):
                secondDue(id)
                continue
            case .action(let entry): overrun(entry)
            case .call(let id): callDue(id)
            case .userAudio: userAudioDue()
            case .recall: phone.recall = nil
            case .cradle: hungUp()
            case .network: pathDue()
            case .organisation: switchDue()
            case .signIn: signInDue()
            case .organisationList: finishListing(.failure(.timeout))
            case .interruption: interruptionDue()
            case .relay(let number): phone.relays[number] = nil
            case .alarm(let name): alarmDue(name)
            case .soundTest: soundTestDue()
            case .question(let id): questionDue(id)
            }
            onlySecondsPassed = false
        }
    }

    private mutating func callDue(_ id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingIn(let ringing): end(id, isDue(ringing.offerDue) ? .noOffer : .noAnswer)
        case .ringingOut(.dialled(let until, let alerting, .awaited(let negotiated, let voiceDue)))
        where voiceDue <= now && until > now:
            phone[id]?.state = .ringingOut(.dialled(until: until, alerting: alerting, early: .silent(negotiated)))
        case .ringingOut: end(id, .noAnswer)
        case .connecting(let connecting):
            if case .preparing(let ringing) = connecting.stage, isDue(ringing.offerDue) {
                end(id, .noOffer)
            } else {
                giveUpConnecting(id)
            }
        case .active, .onHold: talkDue(call, isDue(call.silenceDue) ? .mediaLost : nil)
        case .reconnecting(_, let recovery):
            if isDue(recovery.until) { notice(.networkTimeout(id)) }
            talkDue(call, isDue(recovery.until) ? .networkLost : nil)
        case .disconnecting(let disconnecting): finishUnconfirmed(call, disconnecting)
        case .idle, .ended, .failed: return
        }
    }

    /// Ends a call that is up for this reason, or because it has taken too long. Otherwise its hold got no answer in
    /// time.
    private mutating func talkDue(_ call: Call, _ reason: EndReason?) {
        if let reason = reason ?? (isDue(call.endsBy) ? .tooLong : nil) {
            end(call.id, reason)
        } else {
            holdSettled(call.id, nil)
        }
    }

    private func isDue(_ instant: Instant?) -> Bool { instant.map { $0 <= now } ?? false }

    /// Reports how long the call has been up. It reports once, even if several seconds are due.
    private mutating func secondDue(_ id: CallID) {
        guard let index = phone.index(of: id), let answered = phone.calls[index].answered else { return }
        let seconds = Int((now - answered).components.seconds)
        phone.calls[index].secondsTold = seconds
        notice(.callDuration(id, seconds: seconds))
    }

    /// Seconds that passed without a report are not reported later.
    private mutating func skipSeconds() {
        for index in phone.calls.indices {
            guard let answered = phone.calls[index].answered else { continue }
            phone.calls[index].secondsTold = Int((now - answered).components.seconds)
        }
    }

    /// Settles what depends on the calls.
    mutating func settleDown(since before: PhoneState) {
        skipSeconds()
        keepConference()
        keepRecording()
        keepPlayback()
        keepConsultation()
        keepRecall()
        keepSentPage()
        choosePage(since: before)
        settleRoute(wasBusy: before.isBusy)
        keepSoundTest(since: before)
        adoptContext()
    }
}

/// Reports changes of everything that is a function of the phone's state.
extension Transition {
    mutating func tell(since before: PhoneState) {
        let isSame = formerPolicy == nil && before == phone
        guard !onlySecondsPassed, !isSame else { return }
        let old = formerPolicy.map { ObservableState(before, $0) } ?? ObservableState(before, policy)
        let new = ObservableState(phone, policy)
        tellPanel(old, new)
        tellSound(old, new)
        tellHoldMusic(since: before)
        tellMicrophones(since: before, old, new)
        tellVault()
        tellRinging()
        tellWatchers(since: before, old, new)
    }

    private mutating func tellPanel(_ old: ObservableState, _ new: ObservableState) {
        if old.ring?.cadence != new.ring?.cadence { emit(.panel(.bell(new.ring?.cadence))) }
        tellRelays(old.relays, new.relays)
        for (index, lamp) in Lamp.allCases.enumerated() where old.lamps[index] != new.lamps[index] {
            emit(.panel(.lamp(lamp, new.lamps[index])))
        }
        if let display = new.display, old.display != display {
            emit(.display(display))
            notice(.displayChanged(display))
        }
    }

    private mutating func tellRelays(_ old: [UInt8: RelayHold], _ new: [UInt8: RelayHold]) {
        for number in Set(old.keys).union(new.keys).sorted() where old[number] != new[number] {
            switch new[number] {
            case nil: emit(.panel(.relay(number, on: false)))
            case .lasting: emit(.panel(.relay(number, on: true)))
            case .pulse(let end): emit(.panel(.pulse(number, until: end)))
            }
            // A repeated pulse is no change for observers.
            if (old[number] == nil) != (new[number] == nil) { notice(.relayChanged(number, on: new[number] != nil)) }
        }
    }

    private mutating func tellSound(_ old: ObservableState, _ new: ObservableState) {
        if old.ring != new.ring { emit(.media(.ring(new.ring))) }
        if old.tone != new.tone { emit(.media(.tone(new.tone))) }
        if old.route != new.route { emit(.media(.route(new.route))) }
        if old.isPaused != new.isPaused { emit(.media(.pause(new.isPaused))) }
        tellConference(old, new)
        if old.recording != new.recording { emit(.media(.record(new.recording))) }
        if old.playback != new.playback { emit(.media(.play(new.playback))) }
        tellPages(old, new)
        if old.soundTest != new.soundTest { emit(.media(.testSound(new.soundTest))) }
        for kind in VolumeKind.allCases where old.settings.volume(kind) != new.settings.volume(kind) {
            emit(.media(.volume(kind, new.settings.volume(kind))))
        }
    }

    private mutating func tellPages(_ old: ObservableState, _ new: ObservableState) {
        // A phone without a path stays in its groups: the path may come back as it was.
        if old.pageAddresses != new.pageAddresses, let addresses = new.pageAddresses, !addresses.isEmpty {
            emit(.media(.joinPages(addresses)))
        }
        guard old.page != new.page else { return }
        emit(.media(.page(new.page?.group)))
        if let page = old.page { notice(.pageEnded(page)) }
        if let page = new.page { notice(.pageStarted(page)) }
    }

    private mutating func tellConference(_ old: ObservableState, _ new: ObservableState) {
        for call in phone.calls {
            let isJoined = new.conferees.contains(call.id)
            if old.conferees.contains(call.id) != isJoined { emit(.media(.conference(call.id, joined: isJoined))) }
        }
    }

    /// The music ends before the microphone may open.
    private mutating func tellHoldMusic(since before: PhoneState) {
        guard policy.playsHoldMusic else { return }
        for call in phone.calls where call.isUp && call.isHeldHere != (before[call.id]?.isHeldHere ?? false) {
            emit(.media(.holdMusic(call.id, on: call.isHeldHere)))
        }
    }

    /// Only this function turns voice on. The gate is set first, so that a microphone that should be closed never
    /// opens; and a page ends before a call is heard.
    private mutating func tellMicrophones(since before: PhoneState, _ old: ObservableState, _ new: ObservableState) {
        if let page = old.sentPage, !page.isSame(as: new.sentPage) { emit(.media(.sendPage(nil))) }
        for call in phone.calls {
            guard let isOpen = phone.microphone(of: call) else { continue }
            let wasOpen = before[call.id].flatMap { before.microphone(of: $0) }
            if wasOpen != isOpen { emit(.media(.microphone(call.id, open: isOpen))) }
            if wasOpen == nil { emit(.media(.activate(call.id))) }
        }
        if let page = new.sentPage, page != old.sentPage { emit(.media(.sendPage(page.sending))) }
    }

    /// The vault keeps one call: the youngest that is, or was, up and is not over.
    private mutating func tellVault() {
        let call = phone.calls.last { call in
            call.isUp || phone.kept.map { $0.call == call.id.description } ?? false
        }
        guard call?.essentials != phone.kept else { return }
        phone.kept = call?.essentials
        if let essentials = phone.kept {
            emit(.vault(.persist(essentials)))
        } else {
            emit(.vault(.clearPersisted))
        }
    }

    /// The vault keeps every call that rings, with the newest facts about its caller.
    private mutating func tellRinging() {
        let ringing = phone.calls.compactMap(\.ringingEssentials)
        let kept = phone.keptRinging ?? []
        guard ringing != kept else { return }
        for call in ringing where !kept.contains(call) { emit(.vault(.persistRinging(call))) }
        for call in kept where !ringing.contains(where: { $0.call == call.call }) {
            emit(.vault(.clearRinging(call.call)))
        }
        phone.keptRinging = ringing.isEmpty ? nil : ringing
    }

    private mutating func tellWatchers(since before: PhoneState, _ old: ObservableState, _ new: ObservableState) {
        for call in phone.calls {
            let summary = phone.summary(of: call, policy)
            if before.summary(of: call.id, formerPolicy ?? policy) != summary { notice(.callChanged(summary)) }
        }
        if (old.ring != nil) != (new.ring != nil) { notice(.ringerChanged(on: new.ring != nil)) }
        if old.tone != new.tone { notice(.toneChanged(new.tone)) }
        tellSentPages(old, new)
        if old.muted != new.muted { notice(.muteChanged(new.muted)) }
        if old.route != new.route { notice(.routeChanged(new.route, before: old.route)) }
        for kind in VolumeKind.allCases where old.settings.volume(kind) != new.settings.volume(kind) {
            notice(.volumeChanged(kind, new.settings.volume(kind)))
        }
        if old.settings.doNotDisturb != new.settings.doNotDisturb {
            notice(.doNotDisturbChanged(new.settings.doNotDisturb))
        }
        if old.network != new.network { notice(.networkChanged(new.network, phone.network.kind)) }
    }
}
