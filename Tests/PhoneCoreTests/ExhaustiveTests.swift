import Base
import PhoneCore
import PhoneJudges
import Testing

/// All futures of a phone up to a depth, over an alphabet of events. The invariants judge every step. After every
/// sequence of up to four events the phone is left alone and must come to rest.
///
/// The walk does not continue after an event that changed nothing: its successors equal those of the node before it.
struct Explorer {
    enum Symbol {
        case event(PhoneEvent)
        case ask(Request)
        /// Time advances to the next deadline.
        case tick
    }

    static let depth = 7

    let alphabet: [Symbol]
    /// How many steps were judged.
    private(set) var judged = 0
    private(set) var failure: String?

    init(_ alphabet: [Symbol]) { self.alphabet = alphabet }

    mutating func explore(from start: Subject) { explore(start, path: []) }

    private mutating func explore(_ subject: Subject, path: [Int]) {
        guard failure == nil else { return }
        if path.count <= 4 {
            var resting = subject
            resting.rest()
            judge(resting, path, "then rest")
        }
        guard path.count < Self.depth else { return }
        for index in alphabet.indices {
            var next = subject
            let path = path + [index]
            switch alphabet[index] {
            case .event(let event): next.post(event)
            case .ask(let request): next.post(.request(Sample.action(UInt64(path.count)), request))
            case .tick: next.tick()
            }
            judged += 1
            judge(next, path, "")
            if next != subject { explore(next, path: path) }
        }
    }

    private mutating func judge(_ subject: Subject, _ path: [Int], _ ending: String) {
        guard failure == nil, let violation = subject.violation else { return }
        let steps = path.map { "\(alphabet[$0])" }.joined(separator: "\n  ")
        failure = "\(violation.rule) after\n  \(steps)\n  \(ending)"
    }
}

@Suite("Every sequence of seven events")
struct ExhaustiveTests {
    /// The root of a tree.
    enum Start: CustomTestStringConvertible {
        case idle, talking, waiting

        var testDescription: String { "from \(self)" }

        var subject: Subject {
            var subject = Subject(policy: Sample.policy)
            subject.post(.panel(.hookFound(.onHook)))
            for event in events { subject.post(event) }
            return subject
        }

        private var events: [PhoneEvent] {
            let talking: [PhoneEvent] = [
                .line(.offered(Sample.first, Sample.caller)), .media(.opened(Sample.first, Sample.endpoint)),
                .panel(.hook(.offHook)), .line(.answered(Sample.first, Sample.plan)), .media(.ready(Sample.first)),
            ]
            let knocking: [PhoneEvent] = [
                .line(.offered(Sample.second, Sample.caller)), .media(.opened(Sample.second, Sample.endpoint)),
            ]
            return switch self {
            case .idle: []
            case .talking: talking
            case .waiting: talking + knocking
            }
        }
    }

    @Test(arguments: [Start.idle, .talking])
    func oneIncomingCallKeepsInvariants(_ start: Start) {
        var explorer = Explorer([
            .event(.line(.offered(Sample.first, Sample.caller))),
            .event(.media(.opened(Sample.first, Sample.endpoint))),
            .event(.panel(.hook(.offHook))),
            .event(.panel(.hook(.onHook))),
            .event(.line(.answered(Sample.first, Sample.plan))),
            .event(.media(.ready(Sample.first))),
            .event(.panel(.pressed(.hold))),
            .event(.line(.holdSettled(Sample.first, Sample.heldPlan))),
            .event(.line(.ended(Sample.first, .hungUpThere))),
            .tick,
        ])
        explorer.explore(from: start.subject)
        #expect(explorer.failure == nil)
        #expect(explorer.judged > 15_000)
    }

    @Test func oneOutgoingCallKeepsInvariants() {
        var explorer = Explorer([
            .ask(.dial("5550100", account: nil)),
            .ask(.hangUp(nil)),
            .event(.media(.opened(Sample.dialled, Sample.endpoint))),
            .event(.line(.offerSent(Sample.dialled))),
            .event(.line(.ringing(Sample.dialled))),
            .event(.line(.earlyMedia(Sample.dialled, Sample.plan))),
            .event(.line(.answered(Sample.dialled, Sample.plan))),
            .event(.media(.ready(Sample.dialled))),
            .event(.line(.ended(Sample.dialled, .busyThere))),
            .tick,
        ])
        explorer.explore(from: Start.idle.subject)
        #expect(explorer.failure == nil)
        #expect(explorer.judged > 5_000)
    }

    @Test func twoCallsKeepInvariants() {
        var explorer = Explorer([
            .event(.line(.offered(Sample.second, Sample.caller))),
            .event(.media(.opened(Sample.second, Sample.endpoint))),
            .event(.panel(.pressed(.hold))),
            .event(.line(.holdSettled(Sample.first, Sample.heldPlan))),
            .event(.line(.holdSettled(Sample.first, nil))),
            .event(.line(.holdSettled(Sample.second, Sample.heldPlan))),
            .event(.line(.answered(Sample.second, Sample.plan))),
            .event(.media(.ready(Sample.second))),
            .event(.line(.ended(Sample.first, .hungUpThere))),
            .event(.panel(.pressed(.speaker))),
            .tick,
        ])
        explorer.explore(from: Start.waiting.subject)
        #expect(explorer.failure == nil)
        #expect(explorer.judged > 40_000)
    }
}
