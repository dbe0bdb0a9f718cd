import Base
import PhoneCore
import Testing

/// §10: whatever fails, and whenever the power does, the phone works for one organisation, completely.
///
/// A phone with everything around it: a vault that loses what it has not written, a line with a registrar, and a
/// backend whose adapter keeps its record before it reports. Time stands still; the power may fail before any step.
@Suite("Power cuts between the steps")
struct PowerCutTests {
    private static let before = Sample.context("a")
    private static let after = Sample.context("b")
    private static let renewed = {
        var renewed = before
        renewed.credentials.password = Redacted("newer")
        return renewed
    }()

    enum Scenario: CaseIterable {
        case switched, refused, registrationRefused, signedIn, renewed, signedOut

        /// What the phone may work for after it, at any moment and after any restart.
        var allowed: [OrganisationContext?] {
            switch self {
            case .switched: [before, after]
            case .refused, .registrationRefused: [before]
            case .signedIn: [nil, before]
            case .renewed: [before, PowerCutTests.renewed]
            case .signedOut: [before, nil]
            }
        }

        /// What it works for when nothing is under way and no power was cut.
        var last: OrganisationContext? {
            switch self {
            case .switched: after
            case .refused, .registrationRefused, .signedIn: before
            case .renewed: PowerCutTests.renewed
            case .signedOut: nil
            }
        }
    }

    /// What outlives a power cut.
    private struct Disk: Equatable {
        var context: OrganisationContext?
        /// The record of the backend's adapter: tokens, user, newest credentials.
        var record: (user: SignedInUser, context: OrganisationContext?)?

        static func == (left: Disk, right: Disk) -> Bool {
            left.context == right.context && left.record?.context == right.record?.context
                && (left.record == nil) == (right.record == nil)
        }
    }

    private struct World {
        let scenario: Scenario
        var disk: Disk
        var machine: PhoneMachine
        /// The credentials with which the line registers.
        var login: AccountCredentials?
        /// Steps that have not happened yet, in order.
        var agenda: [Step] = []
        var requests: UInt64 = 0
        /// Whether the server refuses the other organisation's credentials.
        let isRefusing: Bool

        enum Step {
            case event(PhoneEvent)
            case write(OrganisationContext, ticket: UInt32)
            case tried(ticket: UInt32)
            case forget
            case record(SignedInUser, OrganisationContext?)
            case register(AccountCredentials)
        }

        init(_ scenario: Scenario, disk: Disk) {
            (self.scenario, self.disk) = (scenario, disk)
            var policy = Sample.policy
            policy.hasBackend = true
            machine = PhoneMachine(policy: policy)
            isRefusing = scenario == .registrationRefused
            // The program starts: the line registers as the vault says, and the adapters report what they have.
            login = disk.context?.credentials
            var memory = PhoneMemory()
            memory.context = disk.context
            post(.vault(.remembered(memory)))
            if let record = disk.record { post(.backend(.restored(record.user, record.context))) }
            post(.line(.registration(.direct, .registered)))
        }

        mutating func post(_ event: PhoneEvent) {
            for effect in machine.handle(event, at: .zero) { perform(effect) }
        }

        mutating func ask(_ request: Request) {
            requests += 1
            post(.request(Sample.action(requests), request))
        }

        private mutating func perform(_ effect: PhoneEffect) {
            switch effect {
            case .vault(.keepContext(let context, let ticket)): agenda.append(.write(context, ticket: ticket))
            case .vault(.tryContext(_, let ticket)): agenda.append(.tried(ticket: ticket))
            case .vault(.forgetSignIn): agenda.append(.forget)
            case .line(.reconfigure(_, let credentials)): agenda.append(.register(credentials))
            case .backend(.signIn): agenda.append(.event(.backend(.signInCode(Sample.signInCode))))
            case .control(.notice(.signInCode)):
                agenda += [.record(Sample.user, before), .event(.backend(.signedIn(Sample.user, before)))]
            case .backend(.signOut): agenda.append(.event(.backend(.signedOut)))
            case .backend(.switchOrganisation):
                let answer: BackendEvent = scenario == .refused ? .switchFailed(.api(403, "no")) : .switched(after)
                if scenario != .refused { agenda.append(.record(Sample.user, after)) }
                agenda.append(.event(.backend(answer)))
            case .backend, .vault, .line, .media, .panel, .callerInfo, .control, .display, .stopped: break
            }
        }

        mutating func begin() {
            switch scenario {
            case .switched, .refused, .registrationRefused: ask(.switchOrganisation(after.organisation.id))
            case .signedIn: ask(.signIn)
            case .renewed:
                agenda += [
                    .record(Sample.user, PowerCutTests.renewed),
                    .event(.backend(.credentialsRenewed(PowerCutTests.renewed))),
                ]
            case .signedOut: ask(.signOut)
            }
        }

        mutating func step() {
            guard !agenda.isEmpty else { return }
            switch agenda.removeFirst() {
            case .event(let event): post(event)
            case .write(let context, let ticket):
                disk.context = context
                post(.vault(.contextKept(ticket: ticket, true)))
            // The start ignores what was only tried.
            case .tried(let ticket): post(.vault(.contextKept(ticket: ticket, true)))
            case .forget: (disk.context, disk.record) = (nil, nil)
            case .record(let user, let context): disk.record = (user, context)
            case .register(let credentials):
                login = credentials
                let isRefused = isRefusing && credentials == after.credentials
                post(.line(.registration(.direct, isRefused ? .failed("403") : .registered)))
            }
        }

        mutating func settle() {
            var steps = 0
            while !agenda.isEmpty, steps < 100 {
                step()
                steps += 1
            }
        }
    }

    private static func start(_ scenario: Scenario) -> Disk {
        switch scenario {
        case .signedIn: Disk()
        case .switched, .refused, .registrationRefused, .renewed, .signedOut:
            Disk(context: before, record: (Sample.user, before))
        }
    }

    @Test(arguments: Scenario.allCases)
    func everyPowerCutLeavesOneOrganisation(_ scenario: Scenario) {
        var cuts = 0
        while true {
            var world = World(scenario, disk: Self.start(scenario))
            #expect(world.agenda.isEmpty, "a start without news writes nothing")
            world.begin()
            for _ in 0..<cuts { world.step() }
            let isOver = world.agenda.isEmpty
            #expect(scenario.allowed.contains(world.disk.context), "\(cuts)")

            // The power fails here. The next start, and one more, end in the same state.
            var next = World(scenario, disk: world.disk)
            next.settle()
            #expect(scenario.allowed.contains(next.disk.context), "\(cuts)")
            #expect(next.machine.snapshot.organisation == next.disk.context?.organisation, "\(cuts)")
            #expect(next.login == next.disk.context?.credentials, "the line registers as the vault says: \(cuts)")
            #expect(World(scenario, disk: next.disk).agenda.isEmpty, "it is settled: \(cuts)")
            // A phone that is signed in has an organisation to work for.
            #expect((next.disk.record == nil) == (next.disk.context == nil), "\(cuts)")

            guard isOver else {
                cuts += 1
                continue
            }
            #expect(world.disk.context == scenario.last)
            #expect(world.machine.snapshot.organisation == scenario.last?.organisation)
            if scenario != .signedOut { #expect(world.login == scenario.last?.credentials) }
            break
        }
        #expect(cuts >= (scenario == .signedOut || scenario == .refused ? 1 : 3), "every step was a cut")
    }

    /// A call on the line keeps the former credentials until its end; a power cut then brings the new ones.
    @Test func renewalDuringACallSurvivesAPowerCut() {
        var world = World(.renewed, disk: Self.start(.renewed))
        world.post(.line(.offered(Sample.first, Sample.caller)))
        world.begin()
        world.settle()
        #expect(world.login == Self.before.credentials)
        let next = World(.renewed, disk: world.disk)
        #expect(next.login == Self.renewed.credentials)
    }
}
