import Base
import PhoneCore
import PhoneJudges

/// The program, for as long as it runs. It is a class, so that who looks at a phone copies no process.
final class Process {
    private(set) var machine: TamperedMachine
    var line: SimulatedLine
    var recording = ProcessLog()
    /// What the phone showed after the last event.
    private(set) var shown: PhoneSnapshot
    private var judge: PhoneJudge
    /// When the machine is to be woken, as of the last event.
    private var deadline: Instant?
    private var machineAlarm = Alarm()
    private var lineAlarm = Alarm()
    /// The Call-IDs of the lines' calls.
    var callIDs: [CallID: String] = [:]
    /// Since when each active call is active, with nothing else in the way.
    private(set) var calmSince: [CallID: Instant] = [:]
    /// Numbers of what programs asked.
    var asked: UInt64 = 0
    /// It was told to stop.
    var isStopping = false
    /// When the last thing is told that each source has said: a source is heard in order.
    private var lineHeard = Instant.zero
    private var mediaHeard = Instant.zero

    init(machine: TamperedMachine, line: SimulatedLine, policy: PhonePolicy, at now: Instant) {
        self.machine = machine
        self.line = line
        judge = PhoneJudge(policy: policy)
        shown = machine.snapshot
    }

    /// - Returns: what the phone showed before, and what the world sees it do.
    func handle(_ event: PhoneEvent, at now: Instant) -> (before: PhoneSnapshot, effects: [PhoneEffect]) {
        let turn = machine.handle(event, at: now)
        deadline = turn.deadline
        recording.add(turn.told, at: now, turn.real)
        return (shown, turn.shown)
    }

    /// - Returns: what the phone shows now.
    func judge(
        _ event: PhoneEvent, _ effects: [PhoneEffect], at now: Instant
    ) throws(Violation) -> PhoneSnapshot {
        shown = try machine.judged(by: &judge, event, effects, at: now, deadline: deadline)
        for call in shown.calls where call.phase != .active || shown.interrupted { calmSince[call.call] = nil }
        for call in shown.calls where call.phase == .active && calmSince[call.call] == nil {
            calmSince[call.call] = now
        }
        return shown
    }

    // MARK: Time

    /// When machine and line are to be woken, where that is not in the agenda yet.
    func arm(at now: Instant) -> (machine: Instant?, line: Instant?) {
        (machineAlarm.set(deadline, now: now), lineAlarm.set(line.deadline, now: now))
    }

    func machineRings(at now: Instant) -> Bool { machineAlarm.rings(at: now) }
    func lineRings(at now: Instant) -> Bool { lineAlarm.rings(at: now) }

    /// When something that its line says is heard: not before what the line said earlier.
    func hearLine(_ at: Instant) -> Instant {
        lineHeard = max(at, lineHeard)
        return lineHeard
    }

    /// When something that its media say is heard: not before what they said earlier; news of the distant future wait
    /// for nothing.
    func hearMedia(after: Duration, at now: Instant) -> Instant {
        mediaHeard = max(now + after, after < .milliseconds(100) ? mediaHeard : now)
        return mediaHeard
    }

    func checkRest(at now: Instant) throws(Violation) { try judge.checkRest(machine.real, at: now) }

    var hasStopped: Bool { judge.hasStopped }
}
