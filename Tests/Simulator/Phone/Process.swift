import Base
import PhoneCore

/// The program, for as long as it runs.
struct Process: Sendable {
    private(set) var machine: TamperedMachine
    var line: SimulatedLine
    var recording = Recording()
    /// What the phone showed after the last event.
    private(set) var shown: PhoneSnapshot
    private var judge: PhoneJudge
    /// The Call-IDs of the lines' calls.
    var callIDs: [CallID: String] = [:]
    /// Since when each active call is active, with nothing else in the way.
    private(set) var calmSince: [CallID: Instant] = [:]
    /// Numbers of what programs asked.
    var asked: UInt64 = 0
    /// It was told to stop.
    var isStopping = false
    /// When the last thing is told that each source has said: a source is heard in order.
    var lineHeard = Instant.zero
    var mediaHeard = Instant.zero

    init(machine: TamperedMachine, line: SimulatedLine, policy: PhonePolicy, at now: Instant) {
        self.machine = machine
        self.line = line
        judge = PhoneJudge(policy: policy)
        shown = machine.snapshot
    }

    mutating func handle(_ event: PhoneEvent, at now: Instant) -> TamperedMachine.Effects {
        machine.handle(event, at: now)
    }

    /// - Returns: what the phone shows now.
    mutating func judge(
        _ event: PhoneEvent, _ effects: [PhoneEffect], at now: Instant
    ) throws(Violation) -> PhoneSnapshot {
        shown = try judge.check(event, at: now, effects, machine.real, deadline: machine.deadline)
        for call in shown.calls where call.phase != .active || shown.interrupted { calmSince[call.call] = nil }
        for call in shown.calls where call.phase == .active && calmSince[call.call] == nil {
            calmSince[call.call] = now
        }
        return shown
    }

    func checkRest(at now: Instant) throws(Violation) { try judge.checkRest(machine.real, at: now) }

    var hasStopped: Bool { judge.hasStopped }
}
