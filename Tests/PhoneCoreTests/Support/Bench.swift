import Base
import PhoneCore
import PhoneJudges
import Testing

/// A phone in simulated time with a log of its effects. Every step is checked against the invariants.
struct Bench {
    private(set) var machine: PhoneMachine
    private(set) var now = Instant.zero
    /// Everything since the last `forget()`.
    private(set) var log: [PhoneEffect] = []
    private var judge: PhoneJudge
    private var requests: UInt64 = 0

    init(policy: PhonePolicy = Sample.policy) {
        machine = PhoneMachine(policy: policy)
        judge = PhoneJudge(policy: policy, lines: .lawless)
    }

    /// - Returns: the effects of this event.
    @discardableResult
    mutating func post(_ event: PhoneEvent, location: SourceLocation = #_sourceLocation) -> [PhoneEffect] {
        let effects = machine.handle(event, at: now)
        let violation = judge.violation(event, at: now, effects, machine)
        #expect(violation == nil, sourceLocation: location)
        log += effects
        return effects
    }

    /// Advances time and delivers every deadline on the way.
    mutating func run(_ duration: Duration, location: SourceLocation = #_sourceLocation) {
        let end = now + duration
        while let due = machine.deadline, due <= end {
            now = due
            post(.deadline, location: location)
        }
        now = end
    }

    /// Advances time without delivering deadlines; the next event finds it passed.
    mutating func skip(_ duration: Duration) { now = now + duration }

    mutating func forget() { log = [] }

    // MARK: People and programs

    mutating func line(_ event: LineEvent) { post(.line(event)) }
    mutating func media(_ event: MediaEvent) { post(.media(event)) }
    mutating func network(_ path: NetworkPath) { post(.network(.path(path))) }
    mutating func lift() { post(.panel(.hook(.offHook))) }
    mutating func replace() { post(.panel(.hook(.onHook))) }

    mutating func press(_ key: Key) {
        post(.panel(.pressed(key)))
        post(.panel(.released(key)))
    }

    mutating func type(_ digits: String) {
        for digit in digits { DTMFSymbol(digit).map { press(.digit($0)) } }
    }

    /// - Returns: the outcome, if it is settled already.
    @discardableResult
    mutating func ask(_ request: Request) -> ActionOutcome? {
        requests += 1
        post(.request(Sample.action(requests), request))
        return outcome(of: requests)
    }

    // MARK: Whole steps of a call

    mutating func offer(_ id: CallID = Sample.first, opened: Bool = true) {
        line(.offered(id, Sample.caller))
        if opened { media(.opened(id, Sample.endpoint)) }
    }

    /// The steps from the person's answer to voice.
    mutating func connect(_ id: CallID = Sample.first) {
        line(.answered(id, Sample.plan))
        media(.ready(id))
    }

    /// An incoming call, answered by lifting the handset.
    mutating func talk() {
        network(Sample.home)
        post(.panel(.hookFound(.onHook)))
        offer()
        lift()
        connect()
    }

    /// A phone in a call, whose direct line is registered, and whose log is empty.
    static func registeredAndTalking() -> Bench {
        var bench = Bench()
        bench.line(.registration(.direct, .registered))
        bench.talk()
        bench.forget()
        return bench
    }

    /// A call dialled by hand that rings out.
    mutating func dial(_ number: String = "5550100") {
        lift()
        type(number + "#")
        media(.opened(Sample.dialled, Sample.endpoint))
        line(.offerSent(Sample.dialled))
        line(.ringing(Sample.dialled))
    }

    mutating func holdFirst() {
        ask(.hold(Sample.first))
        line(.holdSettled(Sample.first, Sample.heldPlan))
    }

    /// The first call held, the second with the audio.
    mutating func talkToTwo() {
        talk()
        offer(Sample.second)
        press(.hold)
        line(.holdSettled(Sample.first, Sample.heldPlan))
        connect(Sample.second)
    }

    // MARK: Visible effects

    func phase(_ id: CallID = Sample.first) -> CallSummary.Phase? { summary(id)?.phase }
    func summary(_ id: CallID = Sample.first) -> CallSummary? { machine.snapshot.calls.first { $0.call == id } }
    func lamp(_ lamp: Lamp) -> LampPattern? { machine.snapshot.lamps[lamp] }

    func did(_ effect: PhoneEffect) -> Bool { log.contains(effect) }
    func did(_ command: LineCommand) -> Bool { log.contains(.line(command)) }
    func did(_ effect: MediaEffect) -> Bool { log.contains(.media(effect)) }
    func noticed(_ notice: Notice) -> Bool { log.contains(.control(.notice(notice))) }
    func times(_ effect: MediaEffect) -> Int { log.count { $0 == .media(effect) } }

    func outcome(of number: UInt64) -> ActionOutcome? { outcome(of: Sample.action(number)) }

    func outcome(of id: ActionID) -> ActionOutcome? {
        log.compactMap { if case .control(.settled(id, let outcome)) = $0 { outcome } else { nil } }.first
    }

    /// The reasons of ended calls, in order.
    var ends: [EndReason] {
        log.compactMap { if case .control(.notice(.callEnded(_, let reason))) = $0 { reason } else { nil } }
    }

    var records: [HistoryEntry] {
        log.compactMap { if case .vault(.addHistory(let entry)) = $0 { entry } else { nil } }
    }

    /// Outcomes of requests by the panel.
    var panelOutcomes: [ActionOutcome] {
        log.compactMap {
            if case .control(.settled(let id, let outcome)) = $0, id.source == .panel { outcome } else { nil }
        }
    }
}
