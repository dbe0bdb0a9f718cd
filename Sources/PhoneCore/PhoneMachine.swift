import Base

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
        transition.take(event)
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
