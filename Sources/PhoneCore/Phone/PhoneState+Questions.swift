/// What follows from what the phone knows.
extension PhoneState {
    /// Whether the call's line can place or answer it. A line that has said nothing yet is trusted when it is the
    /// direct one, which needs nobody's permission, or the one that has just offered this call.
    func isReady(for call: Call) -> Bool {
        registrations[call.account]?.isReady ?? (call.account == .direct || call.direction == .incoming)
    }

    /// The organisation that the phone has to change to before it answers this call. Nil: none.
    func foreignOrganisation(of call: Call) -> OrganisationID? {
        guard let context, let wanted = call.who.organisation?.id else { return nil }
        return wanted == context.organisation.id ? nil : wanted
    }

    /// How many count against the limit. A call and the one that is about to take its place are one conversation.
    var liveCalls: Int {
        calls.count { call in
            call.isLive && !(call.succession.flatMap { self[$0.predecessor]?.isLive } ?? false)
        }
    }

    var isEngaged: Bool { calls.contains(where: \.isEngaged) }
    /// Somebody listens, or is in a call.
    var isBusy: Bool { isEngaged || ear != .closed }

    /// The call that a person at the phone would answer now: it rings, and no other call is in the way.
    var summons: Call? { isEngaged ? nil : calls.first(where: \.isRinging) }

    /// The call a person means who names none: the one with the sound or on its way to it, else the only other.
    var focus: Call? {
        if let near = calls.first(where: \.isTakingAudioFocus) ?? calls.first(where: \.hasUserAudio) { return near }
        let held = calls.indices.filter { calls[$0].isEngaged }
        return held.count == 1 ? calls[held[0]] : nil
    }

    /// The call that waits for line, offer, sockets or floor. There is at most one.
    var claimant: Call? { calls.first(where: \.isClaiming) }

    /// Those that hear each other. Whoever is to be held hears nobody from then on, not only when its far end agrees.
    var conferees: [CallID] { conference ? calls.filter { $0.ownHold == .off }.map(\.id) : [] }

    var heldHere: Call? { calls.first(where: \.isHeldHere) }

    /// Something other than the calls themselves keeps them from being heard.
    var isPaused: Bool { interruption != .none || cradleDown != nil }

    /// Whether voice is on, and if so, whether the microphone is open.
    func microphone(of call: Call) -> Bool? { call.microphone.map { $0 && !isPaused } }

    var unseenMissedCalls: Int { missed.count + missedBefore }
    var waitingMessages: Int { messages.values.reduce(0) { $0 &+ $1 } }

    var networkStatus: NetworkStatus {
        if network.isChanging { return .reconnecting }
        guard network.isUp else { return .disconnected }
        return calls.contains(where: \.isReconnecting) ? .reconnecting : .connected
    }

    /// Whether the interface has to make a person notice what rings.
    func announcesOnInterface(_ policy: PhonePolicy) -> Bool { policy.announcer != .panel || panelFailed }

    func summary(of call: Call, _ policy: PhonePolicy) -> CallSummary {
        call.summary(current: context?.organisation.id, onInterface: announcesOnInterface(policy))
    }
}
