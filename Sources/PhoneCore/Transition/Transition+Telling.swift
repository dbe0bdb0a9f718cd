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

/// The displays and the functions of watched numbers' keys (spec §13).
extension Transition {
    mutating func watched(_ number: WatchedNumber, _ state: WatchedState) {
        // Only numbers that the policy watches are accepted.
        guard policy.watchedNumbers.contains(number) else { return }
        phone.watched[number] = state == .unknown ? nil : state
    }

    /// Dials, picks up the call that rings there, or parks the current call if the key is a free park orbit.
    mutating func speedDialPressed(_ wanted: SpeedDial) {
        guard let kind = wanted.watched else { return dialFromPanel(wanted.at(phone.clock)) }
        let number = policy.watchedNumber(of: wanted)
        switch (kind, phone.watched[number] ?? .unknown) {
        case (.phone, .ringing): pickUpFromPanel(number)
        case (.orbit, .idle), (.orbit, .unknown):
            if let call = phone.focus, call.isUp {
                perform(.transfer(call.id, to: number.number), as: panelAction())
            } else {
                dialFromPanel(wanted.at(phone.clock))
            }
        case (.phone, .unknown), (.phone, .idle), (.phone, .busy), (.phone, .held), (.orbit, .ringing), (.orbit, .busy),
            (.orbit, .held):
            dialFromPanel(wanted.at(phone.clock))
        }
    }

    private mutating func pickUpFromPanel(_ number: WatchedNumber) {
        guard phone.summons == nil, openUserAudio(.talk, account: nil) else { return }
        perform(.pickUp(number.number, account: number.account), as: panelAction())
    }

    /// Picks up the call that rings at another number: with the account's pickup code, else from its caller.
    mutating func pickUp(_ number: String, account: AccountID?, as action: ActionID) throws(ActionFailure) {
        let account = account ?? policy.defaultAccount
        if let code = policy.pickupCodes[account] {
            return try dial(SpeedDial([code + number], account: account), as: action)
        }
        let watched = WatchedNumber(number, account: account)
        guard phone.watched[watched] == .ringing else { throw .noSuchCall }
        try dial(SpeedDial([number], account: account), pickingUp: watched, as: action)
    }
}

extension PhonePolicy {
    func watchedNumber(of dial: SpeedDial) -> WatchedNumber {
        WatchedNumber(dial.targets[0], account: dial.account ?? defaultAccount)
    }

    func has(_ account: AccountID) -> Bool { accounts?.contains(account) ?? true }

    /// The numbers that the lines have to watch.
    public var watchedNumbers: Set<WatchedNumber> {
        Set(speedDials.values.filter { $0.watched != nil }.map { watchedNumber(of: $0) })
    }
}
