/// Values that are derived from the phone's state.
extension PhoneState {
    /// Whether the call's line can place or answer it. Two lines count as ready before they report a registration: the
    /// direct one, which needs none, and one that has offered this call.
    func isReady(for call: Call) -> Bool {
        switch registrations[call.account] {
        // An incoming call goes on over the path on which it came.
        case .none, .disconnected: call.direction == .incoming || isReady(call.account)
        case .notNeeded, .registered, .registering, .failed: isReady(call.account)
        }
    }

    /// Whether the line of an account can place calls.
    func isReady(_ account: AccountID) -> Bool {
        switch registrations[account] {
        case .none: account == .direct
        case .notNeeded, .registered: true
        case .disconnected, .registering, .failed: false
        }
    }

    /// The organisation that the phone has to change to before it answers this call. Nil: none.
    func foreignOrganisation(of call: Call, _ policy: PhonePolicy) -> OrganisationID? {
        guard let context, let wanted = call.who.organisation?.id, wanted != context.organisation.id else { return nil }
        return organisation(of: call.account, policy) == wanted ? nil : wanted
    }

    /// The organisation that an account serves now. Nil: it is not known.
    private func organisation(of account: AccountID, _ policy: PhonePolicy) -> OrganisationID? {
        account == context?.account ? context?.organisation.id : policy.organisations?[account]
    }

    /// The account with which a line will offer the call that caller info describes: the one that serves its
    /// organisation. Without such an account it is the one that changes its organisation, else the default.
    func account(of info: CallerInfo, _ policy: PhonePolicy) -> AccountID {
        if let account = info.account { return account }
        guard let wanted = info.organisation?.id, wanted != context?.organisation.id else {
            return context?.account ?? policy.defaultAccount
        }
        let serving = (policy.organisations ?? [:]).keys.filter { organisation(of: $0, policy) == wanted }
        return serving.min { $0.rawValue < $1.rawValue } ?? context?.account ?? policy.defaultAccount
    }

    /// The number of calls that count against the limit. A call and the one that is about to replace it are one
    /// conversation.
    var liveCalls: Int {
        calls.count { call in
            call.isLive && !(call.replacement.flatMap { self[$0.predecessor]?.isLive } ?? false)
        }
    }

    var isEngaged: Bool { calls.contains(where: \.isEngaged) }
    /// A person listens at the phone, or is in a call.
    var isBusy: Bool { isEngaged || userAudio != .closed }

    /// The page that a person speaks.
    var sentPage: SentPage? { if case .paging(let page) = userAudio { page } else { nil } }

    /// Nobody uses the phone or is about to, so its own sounds disturb nobody.
    var isAtRest: Bool {
        mode == .running && calls.isEmpty && userAudio == .closed && hook != .offHook && pages.isEmpty
            && interruption == .none
    }

    /// The call that a person at the phone would answer now: it rings, and no other call is in the way.
    var summons: Call? { isEngaged ? nil : calls.first(where: \.isRinging) }

    /// The call that a request without an identifier means. It is the call that has the audio focus or is about to take
    /// it, else the only other engaged call.
    var focus: Call? { focusIndex.map { calls[$0] } }

    /// The index of that call in `calls`. Every event asks whether the call is muted, and must not copy it.
    private var focusIndex: Int? {
        if let near = calls.firstIndex(where: \.isTakingAudioFocus) ?? calls.firstIndex(where: \.hasUserAudio) {
            return near
        }
        let engaged = calls.firstIndex(where: \.isEngaged)
        return engaged == calls.lastIndex(where: \.isEngaged) ? engaged : nil
    }

    /// The call that waits for the line, the offer, the sockets or the audio focus. There is at most one.
    var claimant: Call? { calls.first(where: \.isClaiming) }

    /// The calls that hear each other in a conference. A call leaves when its hold is requested, not only when its far
    /// end agrees.
    var conferees: [CallID] { conference ? calls.filter { $0.ownHold == .off }.map(\.id) : [] }

    var heldHere: Call? { calls.first(where: \.isHeldHere) }

    /// Something other than the calls themselves silences them. A page also closes the microphone, because the far end
    /// would hear the page.
    var isPaused: Bool { interruption != .none || cradleDown != nil || (page != nil && isBusy) }

    /// Whether the call that has the focus is faulty.
    var isFocusFaulty: Bool {
        guard let index = focusIndex else { return false }
        return calls.span[index].isFaulty
    }

    /// Whether the person at the phone is muted.
    var isMuted: Bool { sentPage?.isMuted ?? focusIndex.flatMap { calls[$0].talk?.muted } ?? false }

    /// Whether the microphone is open for this call. Nil: voice is off.
    func microphone(of call: Call) -> Bool? { call.microphone.map { $0 && !isPaused } }

    var unseenMissedCalls: Int { missed.count + missedBefore }
    var waitingMessages: Int { messages.values.reduce(0) { $0 &+ $1 } }

    var networkStatus: NetworkStatus {
        if network.isChanging { return .reconnecting }
        guard network.isUp else { return .disconnected }
        return calls.contains(where: \.isReconnecting) ? .reconnecting : .connected
    }

    /// Whether the control interface has to announce a ringing call to a person.
    func announcesOnInterface(_ policy: PhonePolicy) -> Bool { policy.announcer != .panel || panelFailed }

    func summary(of id: CallID, _ policy: PhonePolicy) -> CallSummary? {
        index(of: id).map { summary(of: calls.span[$0], policy) }
    }

    func summary(of call: Call, _ policy: PhonePolicy) -> CallSummary {
        call.summary(
            current: context?.organisation.id, onInterface: announcesOnInterface(policy),
            canTransfer: policy.canTransfer(call))
    }
}
