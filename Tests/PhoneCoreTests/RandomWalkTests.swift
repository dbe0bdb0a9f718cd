import Base
import PhoneCore
import PhoneJudges
import Testing

/// Goal: no sequence of events breaks an invariant. Method: 40 seeded worlds of 25,000 events each. Now and then, and
/// at the end, the phone is left alone and must come to rest. Then it shuts down.
@Suite("A random walk of a million events")
struct RandomWalkTests {
    struct Walk {
        static let events = 25_000

        let seed: UInt64
        private(set) var subject: Subject
        private(set) var steps = 0
        private(set) var phases: Set<CallSummary.Phase> = []
        private(set) var reasons: Set<String> = []
        private var world: World
        /// The newest events, to explain a broken rule.
        private var recent: [PhoneEvent] = []

        init(seed: UInt64) {
            self.seed = seed
            world = World(seed: seed)
            subject = Subject(policy: world.policy())
        }

        /// - Returns: the broken rule, with the seed that shows it again.
        mutating func run() -> String? {
            while steps < Self.events && subject.violation == nil {
                step()
                if steps.isMultiple(of: 500) { subject.rest() }
            }
            if subject.violation == nil { finish() }
            let phases = subject.machine.snapshot.calls.map { "\($0.call) \($0.phase)" }
            return subject.violation.map { "seed \(seed), event \(steps): \($0.rule), with \(phases), after \(recent)" }
        }

        private mutating func step() {
            steps += 1
            subject.advance(to: world.pause(before: subject.machine.deadline, at: subject.now))
            let event = world.next(subject.machine.snapshot, at: subject.now)
            recent = recent.suffix(11) + [event]
            let effects = subject.post(event)
            world.read(effects)
            for effect in effects {
                guard case .control(.notice(let notice)) = effect else { continue }
                switch notice {
                case .callChanged(let summary): phases.insert(summary.phase)
                case .callEnded(let summary, let reason):
                    phases.insert(summary.phase)
                    reasons.insert("\(reason)")
                case .missedCall, .callRefused, .transferAsked, .transferAnswered, .transferFailed, .codeTried,
                    .registrationChanged,
                    .hookChanged, .keyPressed, .toneChanged, .ringerChanged,
                    .muteChanged, .routeChanged, .firstVoice, .dtmfReceived, .dtmfSent, .qualityUpdated, .trouble,
                    .missedCallsSeen, .answeredElsewhere, .callDuration, .volumeChanged, .doNotDisturbChanged,
                    .messagesWaiting, .displayChanged, .inputChanged, .relayChanged, .alarmRaised, .networkChanged,
                    .networkTransition,
                    .networkTimeout, .interruptionChanged, .organisationSwitching, .organisationSwitched,
                    .organisationSwitchFailed, .textReceived, .recordingStarted, .recordingEnded, .playbackStarted,
                    .playbackEnded, .pageStarted, .pageEnded, .pageNotHeard, .pageSendingStarted,
                    .pageSendingEnded, .soundTested, .signInCode, .signInFailed, .signedIn, .signedOut, .signInNeeded,
                    .credentialsRenewed, .credentialsExpiring:
                    break
                }
            }
        }

        private mutating func finish() {
            var stopped = subject.post(.shutDown).contains(.stopped)
            let latest = subject.now + .seconds(2)
            while !stopped, let due = subject.machine.deadline, due <= latest {
                stopped = subject.tick().contains(.stopped)
            }
            if !stopped { Issue.record("seed \(seed): not stopped after two seconds") }
        }
    }

    static let seeds: [UInt64] = Array(1...40)

    @Test(arguments: seeds)
    func everyInvariantHolds(_ seed: UInt64) {
        var walk = Walk(seed: seed)
        #expect(walk.run() == nil)
        #expect(walk.steps == Walk.events)
    }

    @Test func everyPhaseIsReached() {
        var walk = Walk(seed: 0)
        #expect(walk.run() == nil)
        #expect(walk.phases == Set(CallSummary.Phase.allCases).subtracting([.idle]))
        #expect(walk.reasons.count > 14, "\(walk.reasons)")
    }

    @Test func sameSeedGivesSameWalk() {
        var world = World(seed: 7)
        var (one, other) = (Subject(policy: PhonePolicy()), Subject(policy: PhonePolicy()))
        var differences = 0
        for _ in 0..<2_000 {
            let next = world.pause(before: one.machine.deadline, at: one.now)
            one.advance(to: next)
            other.advance(to: next)
            let event = world.next(one.machine.snapshot, at: one.now)
            let effects = one.post(event)
            if effects != other.post(event) { differences += 1 }
            world.read(effects)
        }
        #expect(differences == 0)
    }
}
