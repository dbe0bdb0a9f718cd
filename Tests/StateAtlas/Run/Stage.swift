import Base
import PhoneCore

/// The real machine in simulated time.
struct Stage {
    private(set) var machine = PhoneMachine(policy: Cast.policy)
    private(set) var now = Instant.zero

    /// Long before this every call has ended on its own.
    private static let patience = Duration.seconds(3_600)

    /// The call in question: the oldest there is. Nil: none.
    var call: CallSummary? { machine.snapshot.calls.first }

    /// Takes an event, and lets the confirming time pass: a blip of the network, a tap on the cradle.
    mutating func take(_ event: PhoneEvent) -> [PhoneEffect] {
        let effects = machine.handle(event, at: now)
        switch event {
        case .network: return effects + wait(Cast.policy.networkBlipTime)
        case .panel(.hook(.onHook)), .panel(.hookFound(.onHook)):
            return effects + (Cast.policy.flash.map { wait($0.longest) } ?? [])
        case .panel, .line, .media, .vault, .callerInfo, .backend, .request, .clock, .policyChanged, .deadline,
            .shutDown:
            return effects
        }
    }

    /// The next automatic event. Nil: no server.
    mutating func nextDeadline() -> [PhoneEffect]? {
        guard let due = machine.deadline, due <= .zero + Self.patience else { return nil }
        now = due
        return machine.handle(.deadline, at: now)
    }

    private mutating func wait(_ time: Duration) -> [PhoneEffect] {
        let end = now + time
        var effects: [PhoneEffect] = []
        while let due = machine.deadline, due <= end {
            now = due
            effects += machine.handle(.deadline, at: now)
        }
        now = end
        return effects
    }
}
