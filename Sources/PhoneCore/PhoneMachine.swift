import Base

/// Everything that can happen to a phone. All events come from one queue, in one order.
public enum PhoneEvent: Equatable, Codable, Sendable {
    case panel(PanelEvent)
    case line(LineEvent)
    case media(MediaEvent)
    case vault(VaultEvent)
    case network(NetworkEvent)
    case callerInfo(CallerInfoEvent)
    case backend(BackendEvent)
    case request(ActionID, Request)
    /// The local time of the week: at the start, and whenever the minute changes or the clock is set.
    case clock(WeekTime)
    /// The integrator changed the configuration. Nothing that an adapter does at its start may differ.
    indirect case policyChanged(PhonePolicy)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
    /// End all calls by signalling and stop.
    case shutDown
}

/// Everything that the phone can cause outside itself. Effects return nothing; the answers are later events.
public enum PhoneEffect: Equatable, Codable, Sendable {
    case panel(PanelEffect)
    case line(LineCommand)
    case media(MediaEffect)
    case vault(VaultEffect)
    case callerInfo(CallerInfoEffect)
    case backend(BackendEffect)
    case control(ControlEffect)
    /// The new content of the display.
    case display(DisplayContent)
    /// Every call has ended and every line has its order to close. The program may stop when the lines are closed.
    case stopped
}

/// The phone as a value type: it makes all decisions and performs none of the effects.
///
/// Feed every event with its time, in order; carry out the effects in the order given; when `deadline` has passed, feed
/// `.deadline`. Everything that is due at an event's time happens before the event. So a late or stale `.deadline`
/// changes nothing. Equal events at equal times give equal effects. Cost: microseconds, growing with the number of
/// calls (at most 16). Owned by one thread. The encoded form is the policy and the state: an event log begins with it.
public struct PhoneMachine: Equatable, Sendable, Codable {
    public private(set) var policy: PhonePolicy
    private var state: PhoneState

    /// - Precondition: the policy's times are positive, at most a year, and `maximumCalls` is 1...8.
    public init(policy: PhonePolicy) {
        precondition(policy.isSound, "the policy's times and limits are in range")
        self.policy = policy
        state = PhoneState(policy: policy)
    }

    /// - Throws: `DecodingError` for an invalid policy or state, because an event log is untrusted input.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        policy = try container.decode(PhonePolicy.self, forKey: .policy)
        state = try container.decode(PhoneState.self, forKey: .state)
        guard policy.isSound else {
            throw DecodingError.dataCorruptedError(
                forKey: .policy, in: container, debugDescription: "its times or limits are out of range")
        }
    }

    public mutating func handle(_ event: PhoneEvent, at now: Instant) -> [PhoneEffect] {
        var transition = Transition(phone: state, policy: policy, now: now)
        transition.expire()
        transition.onlySecondsPassed = transition.onlySecondsPassed && event == .deadline
        switch event {
        case .panel(let event): transition.takePanel(event)
        case .line(let event): transition.takeLine(event)
        case .media(let event): transition.takeMedia(event)
        case .vault(let event): transition.takeVault(event)
        case .network(.path(let path)): transition.pathSeen(path)
        case .callerInfo(let event): transition.takeCallerInfo(event)
        case .backend(let event): transition.takeBackend(event)
        case .request(let id, let request): transition.perform(request, as: id)
        case .clock(let time): transition.phone.clock = time
        case .policyChanged(let policy): transition.policyChanged(policy)
        case .deadline: break  // `expire` has done what was due.
        case .shutDown: transition.shutDown()
        }
        transition.raiseAlarms()
        transition.advance()
        transition.settleDown(since: state)
        transition.tell(since: state)
        transition.reportInfo()
        transition.stopWhenDone()
        // State and policy change only here. The state is swapped, because an assignment would copy it.
        swap(&state, &transition.phone)
        if transition.formerPolicy != nil { policy = transition.policy }
        return transition.effects
    }

    /// The next instant at which the phone does something by itself. Nil: it waits for nothing.
    public var deadline: Instant? { state.next(policy)?.due }

    public var snapshot: PhoneSnapshot { state.snapshot(policy) }

    /// The display's content in every language, for readers who speak another one than the display. Empty: the policy
    /// has no language for it.
    public var displays: [DisplayLanguage: DisplayContent] { state.displays(policy) }

    package var census: PhoneCensus { PhoneCensus(state) }

    /// The actions that are not settled yet, with their deadlines.
    package var pendingActions: [ActionID: Instant] {
        var pending = Dictionary(uniqueKeysWithValues: state.actions.entries.map { ($0.id, $0.due) })
        if let switching = state.switching, case .action(let id) = switching.cause { pending[id] = switching.until }
        for (id, due) in state.backend.pendingActions { pending[id] = due }
        if let run = state.soundTest.run, let id = run.action { pending[id] = run.until }
        return pending
    }
}

/// The sizes of the phone's tables. Tests check by it that memory stays bounded.
package struct PhoneCensus: Equatable, Sendable {
    package let calls: Int
    package let pastCalls: Int
    package let actions: Int
    package let registrations: Int
    package let messages: Int
    package let watched: Int
    package let missed: Int
    package let contacts: Int
    package let peerKeys: Int
    package let alarms: Int
    package let inputs: Int
    package let organisations: Int
    package let listings: Int

    /// Whether each table is within its limit.
    package func isBounded(by policy: PhonePolicy) -> Bool {
        calls <= policy.maximumCalls + PhoneState.spareCalls && pastCalls <= RecentCalls.capacity
            && actions <= Self.actionsOfACall * (calls + 1) && registrations <= PhoneState.mostAccounts
            && messages <= PhoneState.mostAccounts && watched <= policy.watchedNumbers.count
            && missed <= PhoneState.mostMissed && contacts <= PhoneState.mostContacts
            && peerKeys <= PhoneState.mostPeerKeys
            && alarms <= policy.alarms.count && inputs <= PhoneState.mostInputs
            && organisations <= KnownOrganisation.longestList && listings <= BackendView.Listing.longest
    }

    /// One action of each kind that lasts, also for a call that has just ended.
    private static let actionsOfACall = 9
}

extension PhoneCensus {
    init(_ phone: PhoneState) {
        self.init(
            calls: phone.calls.count, pastCalls: phone.recentCalls.pasts.count, actions: phone.actions.entries.count,
            registrations: phone.registrations.count, messages: phone.messages.count, watched: phone.watched.count,
            missed: phone.missed.count, contacts: phone.contacts.count,
            peerKeys: phone.peerKeys?.count ?? 0, alarms: phone.alarms.count,
            inputs: phone.inputs.count, organisations: phone.backend.organisations.count,
            listings: phone.backend.listing?.actions.count ?? 0)
    }
}
