import Base
import PhoneCore
import PhoneJudges

/// The program, for as long as it runs. It is a class, so an observer of a phone copies no process.
final class Process {
    private(set) var machine: TamperedMachine
    var line: SimulatedLine
    var recording = ProcessLog()
    /// The phone's snapshot after the last event.
    private(set) var shown: PhoneSnapshot
    private var judge: PhoneJudge
    /// The machine's deadline after the last event.
    private var deadline: Instant?
    private var machineAlarm = Alarm()
    private var lineAlarm = Alarm()
    /// The Call-IDs of the lines' calls.
    var callIDs: [CallID: String] = [:]
    /// The start of each call's active and undisturbed time.
    private(set) var calmSince: [CallID: Instant] = [:]
    /// Numbers of programs' requests.
    var asked: UInt64 = 0
    /// It got the order to stop.
    var isStopping = false
    /// The time of each source's last report: a source is heard in order.
    private var lineHeard = Instant.zero
    private var mediaHeard = Instant.zero

    init(machine: TamperedMachine, line: SimulatedLine, policy: PhonePolicy, at now: Instant) {
        self.machine = machine
        self.line = line
        judge = PhoneJudge(policy: policy)
        shown = machine.snapshot
    }

    /// - Returns: the phone's former snapshot, and its visible effects.
    func handle(_ event: PhoneEvent, at now: Instant) -> (before: PhoneSnapshot, effects: [PhoneEffect]) {
        let turn = machine.handle(event, at: now)
        deadline = turn.deadline
        recording.add(turn.told, at: now, turn.real)
        return (shown, turn.shown)
    }

    /// - Returns: the phone's current snapshot.
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

    /// The deadlines of machine and line that are not in the agenda yet.
    func arm(at now: Instant) -> (machine: Instant?, line: Instant?) {
        (machineAlarm.set(deadline, now: now), lineAlarm.set(line.deadline, now: now))
    }

    func machineRings(at now: Instant) -> Bool { machineAlarm.rings(at: now) }
    func lineRings(at now: Instant) -> Bool { lineAlarm.rings(at: now) }

    /// The arrival of a report of its line: not before earlier reports.
    func hearLine(_ at: Instant) -> Instant {
        lineHeard = max(at, lineHeard)
        return lineHeard
    }

    /// The arrival of a report of its media: not before earlier ones; reports of the distant future delay nothing.
    func hearMedia(after: Duration, at now: Instant) -> Instant {
        mediaHeard = max(now + after, after < .milliseconds(100) ? mediaHeard : now)
        return mediaHeard
    }

    func checkRest(at now: Instant) throws(Violation) { try judge.checkRest(machine.real, at: now) }

    var hasStopped: Bool { judge.hasStopped }
}
