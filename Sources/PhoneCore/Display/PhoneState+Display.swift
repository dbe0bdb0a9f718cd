import Base

extension PhoneState {
    /// The display's content. Nil: the policy has no language for it.
    func display(_ policy: PhonePolicy) -> DisplayContent? {
        policy.displayLanguage.map { display(policy, DisplayWords($0)) }
    }

    /// The display's content in every language. Empty: the policy has no language for it.
    func displays(_ policy: PhonePolicy) -> [DisplayLanguage: DisplayContent] {
        guard policy.displayLanguage != nil else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: DisplayLanguage.allCases.map { ($0, display(policy, DisplayWords($0))) })
    }

    private func display(_ policy: PhonePolicy, _ words: DisplayWords) -> DisplayContent {
        let notes = notes(policy, words)
        if let sent = sentPage, let page = policy.paging?.page(sent.group) {
            return DisplayContent(
                title: page.label, detail: words.paging, since: sent.since, notes: otherCalls(than: nil, words) + notes)
        }
        if let call = shownCall {
            return DisplayContent(
                title: call.title(words), detail: call.detail(words), since: call.isUp ? call.answered : nil,
                notes: otherCalls(than: call, words) + call.notes(words, current: context?.organisation.id) + notes)
        }
        if case .collecting(let collection) = userAudio {
            return collection.digits.isEmpty
                ? DisplayContent(title: words.dial, notes: notes)
                : DisplayContent(title: collection.digits, notes: notes)
        }
        if case .told(let tone, _) = userAudio { return DisplayContent(title: words.text(of: tone), notes: notes) }
        if mode == .running, let code = backend.signIn.code {
            return DisplayContent(
                title: code.code, detail: code.shortAddress, notes: [words.signingIn] + notes,
                address: code.completeAddress ?? code.address)
        }
        return DisplayContent(title: readiness(policy, words), notes: registrationFaults + notes)
    }

    /// Why a line is not registered, in the words of `status` and of the log. The first line stands for all.
    private var registrationFaults: [String] {
        guard mode == .running, network.isUp else { return [] }
        let faults = registrations.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { line in
            if case .failed(let why) = line.value { why } else { nil }
        }
        return faults.prefix(1).map { $0.shown(bytes: 120) }
    }

    /// The call to show: first one that a person is in, then one that rings, then one that is over.
    private var shownCall: Call? {
        focus ?? calls.first(where: \.isEngaged) ?? calls.first(where: \.isRinging)
            ?? calls.last { $0.phase == .disconnecting }
    }

    private func otherCalls(than shown: Call?, _ words: DisplayWords) -> [String] {
        calls.filter { $0.id != shown?.id && $0.isLive }.map { call in
            let what = call.isRinging ? words.waiting : call.isHeldHere ? words.held : ""
            return what.isEmpty ? call.title(words) : "\(what) \(call.title(words))"
        }
    }

    /// Notes that apply whatever the phone does, the most important first.
    private func notes(_ policy: PhonePolicy, _ words: DisplayWords) -> [String] {
        var notes: [String] = []
        if interruption != .none { notes.append(words.interrupted) }
        if let page = policy.paging?.page(page) { notes.append("\(words.page) \(page.label)") }
        if conference, conferees.count > 1 { notes.append(words.conference) }
        if isMuted { notes.append(words.muted) }
        if recording?.recorded != nil { notes.append(words.recording) }
        if panelFailed { notes.append(words.panelFailed) }
        notes += lostDevices.map(\.rawValue).sorted().map { "\(words.noSound) \($0)" }
        if soundTest.result?.verdict.isFault ?? false { notes.append(words.soundFault) }
        if codeTries.lastLock != nil { notes.append(words.codesLocked) }
        if backend.signIn.isNeeded { notes.append(words.signInAgain) }
        if let days = backend.expiresInDays { notes.append(days > 0 ? "\(words.expiring) \(days)" : words.expired) }
        if settings.doNotDisturb { notes.append(words.doNotDisturb) }
        switch unseenMissedCalls {
        case ...0: break
        case 1: notes.append("1 \(words.missedCall)")
        case let count: notes.append("\(count) \(words.missedCalls)")
        }
        if unseenMissedCalls > 0, let last = missed.last { notes.append(last.name ?? last.number) }
        switch waitingMessages {
        case ...0: break
        case 1: notes.append("1 \(words.message)")
        case let count: notes.append("\(count) \(words.messages)")
        }
        return notes
    }

    /// Says whether somebody can call the idle phone.
    private func readiness(_ policy: PhonePolicy, _ words: DisplayWords) -> String {
        guard mode == .running else { return words.stopping }
        guard network.isUp else { return words.noNetwork }
        let isFailed = registrations.values.contains { if case .failed = $0 { true } else { false } }
        guard !isFailed else { return words.notRegistered }
        let isWaiting = registrations.values.contains { if case .registering = $0 { true } else { false } }
        return isWaiting ? words.connecting : context?.organisation.name ?? words.ready
    }
}

extension Call {
    fileprivate func title(_ words: DisplayWords) -> String {
        if let name = who.name { return name }
        if who.isWithheld { return words.withheld }
        return who.number.isEmpty ? words.unknown : who.number
    }

    fileprivate func detail(_ words: DisplayWords) -> String {
        switch state {
        case .idle: ""
        case .ringingIn: words.incoming
        case .ringingOut(.preparing), .ringingOut(.dialling): words.calling
        case .ringingOut(.dialled(_, let alerting, _)): alerting ? words.ringing : words.calling
        case .connecting: words.connecting
        case .active, .onHold: isSignallingLost == true ? words.reconnecting : detailOfTalk(words)
        case .reconnecting: words.reconnecting
        case .disconnecting, .ended, .failed: words.ended
        }
    }

    private func detailOfTalk(_ words: DisplayWords) -> String {
        switch state {
        case .active(let talk): talk.heldThere ? words.heldThere : words.inCall
        case .onHold(let talk): talk.isHeldHere ? words.onHold : words.heldThere
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: ""
        }
    }

    /// Notes about this call alone.
    fileprivate func notes(_ words: DisplayWords, current: OrganisationID?) -> [String] {
        var notes: [String] = []
        if let question { notes.append("\(words.transferTo) \(question.target)?") }
        if who.name != nil, !who.number.isEmpty, !who.isWithheld, isRinging { notes.append(who.number) }
        if isRinging, let badge = badge(current: current) { notes.append(badge) }
        if isRinging, let channel = who.channel { notes.append("\(words.calledNumber) \(channel)") }
        if let diverted = who.divertedBy, isRinging { notes.append("\(words.divertedBy) \(diverted)") }
        if who.verification == .failed { notes.append(words.forged) }
        if isUp, sendFault != nil { notes.append(words.unsent) }
        if isUp, let protection = provenProtection { notes.append(words.text(of: protection)) }
        if isUp, let key {
            switch key.standing {
            case .new: notes.append(key.shown.words)
            case .changed: notes += [words.keyChanged, key.shown.words]
            case .compared: break
            }
        }
        return notes
    }
}

extension DisplayWords {
    /// Only their four words distinguish keys from a handshake from keys in the signalling. The notes show the words.
    fileprivate func text(of protection: CallProtection) -> String {
        switch protection {
        case .clear: clear
        case .sdes, .dtls: encrypted
        case .verified: verified
        }
    }

    fileprivate func text(of tone: Tone) -> String {
        switch tone {
        case .busy: busy
        case .howler: replaceHandset
        case .congestion, .specialInformation: failed
        case .dial, .stutterDial, .ringback, .callWaiting: ready
        }
    }
}
