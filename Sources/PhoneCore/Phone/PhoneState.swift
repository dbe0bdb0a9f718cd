import Base

/// The whole state of a phone between two events.
struct PhoneState: Equatable, Codable, Sendable {
    enum Mode: Equatable, Codable, Sendable { case running, stopping, stopped }

    /// The limit for additional calls that are disconnecting, because those do not count against the limit of calls.
    static let spareCalls = 8
    static let mostAccounts = 64
    static let mostMissed = 100
    static let mostContacts = 1_000
    static let mostPeerKeys = 1_000
    static let mostInputs = 64

    var mode = Mode.running
    /// Oldest first.
    var calls: [Call] = []
    var recentCalls = RecentCalls()
    var actions = ActionLedger()

    // MARK: The person and the panel

    var hook: HookPosition?
    /// Since when the cradle has been down, while it is not clear yet whether that is a flash.
    var cradleDown: Instant?
    /// The activity of the person at the phone.
    var userAudio = UserAudioState.closed
    var consultation: Consultation?
    /// Nil in event logs of former versions, and while nobody was left on hold.
    var recall: Recall?
    var conference = false
    var panelFailed = false
    var clock: WeekTime?
    var relays: [UInt8: RelayHold] = [:]
    /// Nil in event logs of former versions, and while no wrong code was dialled.
    private var wrongTries: CodeTries?
    /// The inputs that call somebody, once they have moved.
    var alarms: [String: AlarmState] = [:]
    /// The inputs that are active. Nil in event logs of former versions, and while no input is active.
    private var activeInputs: Set<String>?

    // MARK: Sound

    var route: Route
    /// The route before the current one. The phone falls back to it when the device of the current one is lost.
    var routeBefore: Route
    /// Whether a person or a program chose the route.
    var routeIsChosen = false
    /// The headsets and Bluetooth devices that are there. The one that came last is the last.
    var presentDevices: [Route] = []
    var interruption = Interruption.none
    /// Routes whose sound devices are not there.
    var lostDevices: Set<Route> = []
    var recording: CallRecording?
    var playback: CallPlayback?
    /// The groups in which a page is under way. Nil in event logs of former versions, and while no page is under way.
    private var activePages: Set<UInt8>?
    /// The group whose page is heard.
    var page: UInt8?
    /// Nil in event logs of former versions, and while there are neither tests nor results.
    private var soundTests: SoundTestWatch?

    // MARK: Lines and the network

    var registrations: [AccountID: RegistrationState] = [:]
    var messages: [AccountID: Int] = [:]
    /// The states of watched numbers. Unknown states are left out.
    var watched: [WatchedNumber: WatchedState] = [:]
    var network = NetworkWatch()
    var context: OrganisationContext?
    var switching: OrganisationSwitch?
    /// Nil in event logs of former versions, and while there is nothing to know.
    private var backendState: BackendView?

    // MARK: Persistent state

    var settings = PhoneSettings()
    var contacts: [Contact] = []
    /// The newest unseen missed calls, and the number of the older ones.
    var missed: [MissedCall] = []
    var missedBefore = 0
    var lastDialled: String?
    /// The fingerprints of far ends with which words were compared, oldest first. Nil in event logs of former versions.
    var peerKeys: [PeerFingerprint]?
    /// The number of calls that lines refused in this run.
    var refusedCalls: UInt32 = 0
    /// The vault's record of the call that is up.
    var kept: PersistedCall?
    /// The vault's records of the calls that ring. Nil in event logs of former versions, and while no call rings.
    var keptRinging: [RingingCall]?

    // MARK: Numbering

    var callsMade: UInt32 = 0
    var panelActions: UInt64 = 0
    var contextWrites: UInt32 = 0
    var playbacks: UInt32 = 0

    /// The names in event logs. Former versions wrote `ear` and `book`.
    private enum CodingKeys: String, CodingKey {
        case mode, calls
        case recentCalls = "book"
        case actions, hook, cradleDown
        case userAudio = "ear"
        case consultation, recall, conference, panelFailed, clock, relays, wrongTries, alarms
        case activeInputs = "inputs"
        case route, routeBefore, routeIsChosen, presentDevices, interruption, lostDevices, recording, playback
        case activePages = "pages"
        case page
        case soundTests = "soundTest"
        case registrations, messages, watched, network, context, switching
        case backendState = "backend"
        case settings, contacts, missed, missedBefore, lastDialled, peerKeys, refusedCalls, kept, keptRinging
        case callsMade, panelActions, contextWrites, playbacks
    }

    init(policy: PhonePolicy) {
        route = policy.defaultRoute
        routeBefore = policy.defaultRoute
    }

    var codeTries: CodeTries {
        get { wrongTries ?? CodeTries() }
        set { wrongTries = newValue == CodeTries() ? nil : newValue }
    }

    var pages: Set<UInt8> {
        get { activePages ?? [] }
        set { activePages = newValue.isEmpty ? nil : newValue }
    }

    var soundTest: SoundTestWatch {
        get { soundTests ?? SoundTestWatch() }
        set { soundTests = newValue == SoundTestWatch() ? nil : newValue }
    }

    var backend: BackendView {
        get { backendState ?? BackendView() }
        set { backendState = newValue == BackendView() ? nil : newValue }
    }

    var inputs: Set<String> {
        get { activeInputs ?? [] }
        set { activeInputs = newValue.isEmpty ? nil : newValue }
    }

    subscript(id: CallID) -> Call? {
        get { index(of: id).map { calls[$0] } }
        set {
            guard let index = index(of: id) else { return }
            if let newValue { calls[index] = newValue } else { calls.remove(at: index) }
        }
    }

    /// The call's index in `calls`. A span lends each element, where an array's iterator would copy it.
    func index(of id: CallID) -> Int? {
        let calls = calls.span
        for index in calls.indices where calls[index].id == id { return index }
        return nil
    }

    /// The call that its line identifies by this leg.
    func call(ofLeg leg: CallID) -> Call? { calls.first { $0.leg == leg } }
}

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

extension PhoneState {
    /// Something that the phone does by itself.
    enum Due: Equatable, Sendable {
        case action(ActionLedger.Entry)
        case call(CallID)
        /// Another second of a call has to be reported.
        case second(CallID)
        case userAudio, recall, cradle, network, organisation, signIn, organisationList, interruption, soundTest
        case relay(UInt8)
        case alarm(String)
        /// A person was asked and has not answered.
        case question(CallID)
    }

    /// The next instant at which the phone does something by itself, and what it does. Of several things at the same
    /// instant, those that end a wait come before those that only report.
    func next(_ policy: PhonePolicy) -> (due: Instant, what: Due)? {
        var next: (due: Instant, what: Due)?
        func consider(_ due: Instant?, _ what: Due) {
            if let due, due < next?.due ?? Instant(nanoseconds: .max) { next = (due, what) }
        }
        consider(switching?.due, .organisation)
        consider(backend.signIn.due, .signIn)
        consider(backend.listing?.until, .organisationList)
        for entry in actions.entries { consider(entry.due, .action(entry)) }
        for index in calls.indices {
            consider(calls[index].due, .call(calls[index].id))
            consider(calls[index].question?.until, .question(calls[index].id))
        }
        if let flash = policy.flash { consider(cradleDown.map { $0 + flash.longest }, .cradle) }
        consider(network.changedAt.map { $0 + policy.networkBlipTime }, .network)
        if case .waiting(let until) = interruption { consider(until, .interruption) }
        consider(userAudio.due, .userAudio)
        consider(recall?.until, .recall)
        for number in relays.keys.sorted() {
            if case .pulse(let until) = relays[number] { consider(until, .relay(number)) }
        }
        for name in alarms.keys.sorted() { consider(alarms[name]?.due, .alarm(name)) }
        consider(soundTestDue(policy), .soundTest)
        for index in calls.indices { consider(calls[index].secondDue, .second(calls[index].id)) }
        return next
    }
}
