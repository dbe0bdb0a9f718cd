import Base

/// Events of the panel, and the data that a person changes there.
extension Transition {
    /// Handles every event of the panel, and every key. Once the phone stops, keys are only reported.
    mutating func takePanel(_ event: PanelEvent) {
        if case .pressed(let key) = event {
            notice(.keyPressed(key))
            guard phone.mode == .running else { return }
        }
        switch event {
        case .hookFound(let position):
            phone.panelFailed = false
            hookFound(position)
        case .hook(let position): hookMoved(position)
        case .pressed(.digit(let symbol)):
            switch phone.userAudio {
            case .collecting(var collection):
                emit(.media(.keyClick(symbol)))
                let isComplete = collection.press(symbol, until: now + policy.digitTime, plan: policy.dialPlan)
                phone.userAudio = .collecting(collection)
                if isComplete { dialHere(collection.wanted) }
            case .closed, .inCall, .paging, .told:
                guard let call = phone.focus, case .active = call.state else { return }
                emit(.media(.keyClick(symbol)))
                perform(.dtmf(call.id, [.symbol(symbol)]), as: panelAction())
            }
        case .pressed(.hold): holdPressed()
        case .pressed(.mute): mutePressed()
        case .pressed(.speaker): handsFreePressed(.speaker)
        case .pressed(.headset): handsFreePressed(.headset)
        case .pressed(.redial): if let number = phone.lastDialled { dialFromPanel(SpeedDial([number])) }
        case .pressed(.flash): flashed()
        case .pressed(.transfer): transferPressed()
        case .pressed(.conference): conferencePressed()
        case .pressed(.doNotDisturb): perform(.doNotDisturb(!phone.settings.doNotDisturb), as: panelAction())
        case .pressed(.voicemail): voicemailPressed()
        case .pressed(.volumeUp): volumePressed(1)
        case .pressed(.volumeDown): volumePressed(-1)
        case .pressed(.line(let number)): linePressed(number)
        case .pressed(.page(let number)): pagePressed(number)
        case .pressed(.speedDial(let number)):
            if let wanted = policy.speedDials[number] {
                speedDialPressed(wanted)
            } else if let organisation = policy.organisationKeys?[number] {
                organisationPressed(organisation)
            }
        case .released: break  // How long a key is held has no effect.
        case .input(let name, let active): inputChanged(name, active: active)
        case .failed(let text):
            phone.panelFailed = true
            notice(.trouble(text, .panel))
        }
    }

    // MARK: Relays

    mutating func workRelay(_ number: UInt8, _ order: RelayOrder) throws(ActionFailure) {
        guard let relay = policy.relays[number] else { throw .notSupported }
        switch order {
        case .on: phone.relays[number] = .lasting
        case .off: phone.relays[number] = nil
        case .pulse: phone.relays[number] = .pulse(until: now + relay.pulse)
        }
    }

    // MARK: Stored data

    /// Changes the settings and stores them.
    mutating func change(_ edit: (inout PhoneSettings) -> Void) {
        var settings = phone.settings
        edit(&settings)
        guard settings != phone.settings else { return }
        phone.settings = settings
        emit(.vault(.keep(settings)))
    }

    mutating func remember(_ memory: PhoneMemory) {
        phone.settings = memory.settings
        rememberWrongCodes(memory.settings)
        if policy.keepsNoHistory == true { emit(.vault(.clearHistory)) } else { rememberMissed(memory) }
        phone.lastDialled = phone.lastDialled ?? memory.lastDialled
        // A context that the phone has written since its start is newer.
        if phone.switching == nil, phone.contextWrites == 0 { phone.context = memory.context }
        phone.backend.isMemoryRead = true
        reportOrganisation()
        phone.peerKeys = phone.peerKeys ?? memory.peerKeys.map { Array($0.suffix(PhoneState.mostPeerKeys)) }
        learn(memory.contacts)
    }

    private mutating func rememberMissed(_ memory: PhoneMemory) {
        let former = (memory.missed ?? []).suffix(max(0, PhoneState.mostMissed - phone.missed.count))
        phone.missed.insert(contentsOf: former, at: 0)
        phone.missedBefore += max(0, memory.unseenMissedCalls - former.count)
    }

    mutating func learn(_ contacts: [Contact]) {
        phone.contacts = Array(contacts.prefix(PhoneState.mostContacts))
        for index in phone.calls.indices { phone.calls[index].who.find(in: phone.contacts) }
    }

    mutating func messagesWait(_ account: AccountID, _ count: Int) {
        let isKnown = phone.messages[account] != nil
        guard policy.has(account), phone.messages[account] != count,
            isKnown || phone.messages.count < PhoneState.mostAccounts
        else {
            return
        }
        phone.messages[account] = max(0, count)
        notice(.messagesWaiting(account, max(0, count)))
    }
}

/// The hook: lifted, replaced, tapped.
extension Transition {
    /// The level at start. A handset that lies beside the phone neither dials nor listens until it was replaced and
    /// lifted. Until then a call rings aloud. A person answers it with another key, or by replacing and lifting the
    /// handset.
    private mutating func hookFound(_ position: HookPosition) {
        // A later level was read again, because edges were lost.
        guard phone.hook == nil else { return hookMoved(position) }
        phone.hook = position
        notice(.hookChanged(position))
    }

    private mutating func hookMoved(_ position: HookPosition) {
        guard phone.hook != position else { return }
        let wasLifted = phone.hook == .offHook
        phone.hook = position
        notice(.hookChanged(position))
        guard phone.mode == .running else { return }
        switch position {
        case .offHook: cradleReleased()
        case .onHook: if wasLifted { cradlePressed() }
        }
    }

    /// The cradle goes down. In a call it is not clear yet whether this is a flash. Until it is, neither end hears
    /// anything.
    private mutating func cradlePressed() {
        guard phone.route == handsetRoute else { return }
        if let ringing = phone.summons, phone.userAudio == .closed {
            if policy.onHookDeclines { perform(.hangUp(ringing.id), as: panelAction()) }
        } else if policy.flash != nil && phone.calls.contains(where: \.isUp) {
            phone.cradleDown = now
        } else {
            leave()
        }
    }

    private mutating func cradleReleased() {
        guard let down = phone.cradleDown, let flash = policy.flash, phone.isEngaged else {
            phone.cradleDown = nil
            return lifted()
        }
        phone.cradleDown = nil
        // A shorter time is an unintended movement.
        if now - down >= flash.shortest { flashed() }
    }

    /// The cradle has been down for longer than a flash.
    mutating func hungUp() {
        phone.cradleDown = nil
        leave()
    }

    private mutating func lifted() {
        setRoute(handsetRoute)
        if takeRecall() { return }
        if let summons = phone.summons {
            listenForDigits()
            perform(.answer(summons.id), as: panelAction())
        } else if !isDialling, phone.sentPage == nil {
            if phone.isEngaged { phone.userAudio = .inCall } else { listenForDigits() }
        }
    }

    /// Dialling that began on the speaker continues at the handset.
    private var isDialling: Bool {
        switch phone.userAudio {
        case .collecting(let collection): phone.isEngaged || !collection.digits.isEmpty
        case .closed, .inCall, .paging, .told: false
        }
    }

    /// The person leaves the phone, and all sound stops. Every call that has the audio focus, or is about to take it,
    /// ends. Without such a call, the only call ends. A call held beside another one, or for a page, stays.
    private mutating func leave() {
        let isPaging = phone.sentPage != nil
        phone.userAudio = .closed
        guard !isPaging else { return }
        let near = phone.calls.filter(\.hasUserAudio)
        let left = near.isEmpty ? phone.focus.map { [$0] } ?? [] : near
        for call in left { perform(.hangUp(call.id), as: panelAction()) }
        ringBack()
    }
}

/// The keys.
extension Transition {
    /// Answers the waiting call, swaps two calls, holds a call or resumes it.
    private mutating func holdPressed() {
        if answerKnocking() { return }
        if let held = phone.heldHere {
            perform(.resume(held.id), as: panelAction())
        } else if let call = phone.focus, call.isUp {
            perform(.hold(call.id), as: panelAction())
        }
    }

    /// Silences the bell, or the microphone.
    private mutating func mutePressed() {
        if phone.summons != nil || phone.recall != nil {
            perform(.silenceRinger, as: panelAction())
        } else if phone.focus?.talk != nil || phone.sentPage != nil {
            perform(.toggleMute, as: panelAction())
        }
    }

    /// The speaker and headset keys answer, start dialling, or move the voice to that device. Pressed again, they move
    /// the voice back to the headset that had it before the speaker, or to the lifted handset, or hang up.
    mutating func handsFreePressed(_ route: Route) {
        if phone.recall != nil {
            setRoute(route)
            takeRecall()
        } else if let summons = phone.summons {
            answer(summons, on: route)
        } else if !phone.isEngaged && phone.userAudio == .closed {
            setRoute(route)
            listenForDigits()
        } else if phone.route != route {
            setRoute(route)
            if phone.userAudio == .closed { phone.userAudio = .inCall }
        } else if let device = deviceBehindSpeaker {
            setRoute(device)
        } else if phone.hook == .offHook, route != handsetRoute {
            setRoute(handsetRoute)
        } else {
            leave()
        }
    }

    /// Changes the bell's volume while it rings, else the voice's.
    private mutating func volumePressed(_ step: Int) {
        let kind: VolumeKind = phone.summons == nil ? .call : .ring
        perform(.volume(kind, phone.settings.volume(kind) + step), as: panelAction())
    }

    /// The key of an account answers its call, resumes it, or dials with the account.
    private mutating func linePressed(_ number: UInt8) {
        guard let account = policy.account(ofLineKey: number) else { return }
        let calls = phone.calls.filter { $0.account == account }
        if let ringing = calls.first(where: \.isRinging) {
            answerHere(ringing)
        } else if let held = calls.first(where: { $0.ownHold == .on }) {
            perform(.resume(held.id), as: panelAction())
        } else if !calls.contains(where: \.isEngaged) {
            openUserAudio(.talk, account: account)
        }
    }
}
