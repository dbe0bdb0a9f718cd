import Base
import PhoneCore
import Testing

/// §7 and §10: the phone switches to another organisation before it answers a call for it.
@Suite("Changing the organisation")
struct OrganisationTests {
    private static let before = Sample.context("a")
    private static let after = Sample.context("b")
    private static let call = CallID(.info, 1)

    private static func ready() -> Bench {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.context = before
        bench.post(.vault(.remembered(memory)))
        bench.line(.registration(.direct, .registered))
        return bench
    }

    /// A call for organisation b has been offered and answered.
    private static func answered() -> Bench {
        var bench = ready()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.media(.opened(call, Sample.endpoint))
        bench.line(.offered(Sample.first, Sample.caller))
        bench.ask(.answer(call))
        return bench
    }

    private static func ticket(_ bench: Bench) -> UInt32 {
        bench.log.reversed().lazy.compactMap {
            if case .vault(.tryContext(_, let ticket)) = $0 { ticket } else { nil }
        }.first ?? 0
    }

    @Test func switchesStoresRegistersAndAnswers() {
        var bench = Self.answered()
        #expect(bench.did(.backend(.switchOrganisation(OrganisationID("b")))))
        #expect(bench.noticed(.organisationSwitching(OrganisationID("b"))))
        #expect(bench.machine.snapshot.switchingTo == OrganisationID("b"))
        #expect(!bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        bench.post(.backend(.switched(Self.after)))
        #expect(bench.did(.vault(.tryContext(Self.after, ticket: 1))))
        #expect(!bench.did(.reconfigure(.direct, Self.after.credentials)), "kept first")
        bench.post(.vault(.contextKept(ticket: 1, true)))
        #expect(bench.did(.reconfigure(.direct, Self.after.credentials)))
        bench.line(.registration(.direct, .registering))
        #expect(!bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        bench.line(.registration(.direct, .registered))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
        #expect(bench.did(.vault(.keepContext(Self.after, ticket: 2))), "a restart finds it from now on")
        #expect(bench.noticed(.organisationSwitched(Self.after.organisation)))
        #expect(bench.machine.snapshot.organisation == Self.after.organisation)
        #expect(bench.summary(Self.call)?.badge == nil, "it is the current one now")
    }

    /// The vault may be read late.
    @Test func lateVaultReadChangesNothing() {
        var bench = Self.answered()
        bench.post(.backend(.switched(Self.after)))
        var memory = PhoneMemory()
        memory.context = Self.before
        bench.post(.vault(.remembered(memory)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        bench.line(.registration(.direct, .registering))
        bench.line(.registration(.direct, .registered))
        #expect(bench.machine.snapshot.organisation == Self.after.organisation)
    }

    @Test func callForCurrentOrganisationNeedsNoSwitch() {
        var bench = Self.ready()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "a"))))
        bench.media(.opened(Self.call, Sample.endpoint))
        bench.line(.offered(Sample.first, Sample.caller))
        bench.ask(.answer(Self.call))
        #expect(bench.did(.answer(Sample.first, Sample.endpoint, awaitingACK: true)))
    }

    enum Failure: CaseIterable {
        case network, api, parse, wrongOrganisation, late, store, connection, registersLate

        var kind: SwitchFailure {
            switch self {
            case .network: .network
            case .api: .api(403)
            case .parse, .wrongOrganisation: .parse
            case .late, .registersLate: .timeout
            case .store: .credentialStore
            case .connection: .connection
            }
        }
    }

    private static func fail(_ bench: inout Bench, _ failure: Failure) {
        switch failure {
        case .network, .api, .parse: bench.post(.backend(.switchFailed(failure.kind)))
        case .wrongOrganisation: bench.post(.backend(.switched(Sample.context("c"))))
        case .late: bench.run(.seconds(4))
        case .store:
            bench.post(.backend(.switched(after)))
            bench.post(.vault(.contextKept(ticket: ticket(bench), false)))
        case .connection, .registersLate:
            bench.post(.backend(.switched(after)))
            bench.post(.vault(.contextKept(ticket: ticket(bench), true)))
            if failure == .connection {
                bench.line(.registration(.direct, .failed("403")))
            } else {
                bench.run(.milliseconds(4_500))
            }
        }
    }

    /// A line without a registrar is always ready; another account's line does not matter.
    @Test(arguments: [RegistrationState.registered, .notNeeded])
    func onlyOwnLineMattersForSwitch(_ state: RegistrationState) {
        var bench = Self.answered()
        bench.post(.backend(.switched(Self.after)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        bench.line(.registration(AccountID(7), state))
        bench.line(.registration(AccountID(7), .failed("403")))
        #expect(!bench.noticed(.organisationSwitched(Self.after.organisation)))
        bench.line(.registration(.direct, state))
        #expect(bench.noticed(.organisationSwitched(Self.after.organisation)))
    }

    /// The last write restores the first state.
    private static func isAsBefore(_ bench: Bench) -> Bool {
        var kept = before
        var registered = before.credentials
        for effect in bench.log {
            if case .vault(.keepContext(let context, _)) = effect { kept = context }
            if case .line(.reconfigure(_, let credentials)) = effect { registered = credentials }
        }
        return kept == before && registered == before.credentials
            && bench.machine.snapshot.organisation == before.organisation
    }

    @Test(arguments: Failure.allCases)
    func anyFailureRestoresPreviousState(_ failure: Failure) {
        var bench = Self.answered()
        Self.fail(&bench, failure)
        #expect(bench.noticed(.organisationSwitchFailed(failure.kind)))
        #expect(Self.isAsBefore(bench))
        let isKnownThere = [.network, .api, .parse].contains(failure)
        #expect(bench.did(.backend(.worksFor(Self.before.organisation.id))) == !isKnownThere)
        #expect(bench.outcome(of: 1) == .failed(.callEnded(.organisation(failure.kind))))
        #expect(bench.did(.refuse(Sample.first, .unavailable)))
        bench.line(.ended(Sample.first, .lineNotReady))
        #expect(bench.ends == [.organisation(failure.kind)])
        #expect(bench.records.map(\.missed) == [.failed])
    }

    @Test(arguments: Failure.allCases)
    func anyFailureOfManualSwitchRestoresPreviousState(_ failure: Failure) {
        var bench = Self.ready()
        #expect(bench.ask(.switchOrganisation(OrganisationID("b"))) == nil)
        Self.fail(&bench, failure)
        #expect(bench.outcome(of: 1) == .failed(.organisation(failure.kind)))
        #expect(Self.isAsBefore(bench))
    }

    @Test func backendHasFourSecondsAndWholeSwitchFourAndHalf() {
        var bench = Self.answered()
        bench.run(.milliseconds(3_999))
        bench.post(.backend(.switched(Self.after)))
        bench.run(.milliseconds(500))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        #expect(bench.did(.reconfigure(.direct, Self.after.credentials)))
        bench.run(.milliseconds(1))
        #expect(bench.noticed(.organisationSwitchFailed(.timeout)))
        #expect(Self.isAsBefore(bench))
    }

    @Test func cancelledCallUndoesSwitch() {
        var bench = Self.answered()
        bench.post(.backend(.switched(Self.after)))
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(bench.noticed(.organisationSwitchFailed(.abandoned)))
        #expect(Self.isAsBefore(bench))
        #expect(bench.ends == [.cancelledThere])
    }

    @Test func staleVaultAnswerIsIgnored() {
        var bench = Self.answered()
        bench.post(.backend(.switched(Self.after)))
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.ask(.switchOrganisation(OrganisationID("b")))
        bench.post(.backend(.switched(Self.after)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        bench.post(.vault(.contextKept(ticket: 2, true)))
        #expect(!bench.did(.reconfigure(.direct, Self.after.credentials)), "neither is about this change")
        bench.post(.vault(.contextKept(ticket: 3, true)))
        #expect(bench.did(.reconfigure(.direct, Self.after.credentials)))
    }

    @Test func manualSwitchSucceedsOrFails() {
        var bench = Self.ready()
        bench.ask(.switchOrganisation(OrganisationID("b")))
        #expect(bench.ask(.switchOrganisation(OrganisationID("c"))) == .failed(.alreadyUnderWay))
        bench.post(.request(Sample.action(1), .status))
        #expect(bench.outcome(of: 1) == nil, "the same identifier is the same action")
        bench.post(.backend(.switched(Self.after)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        bench.line(.registration(.direct, .registered))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.ask(.switchOrganisation(OrganisationID("b"))) == .fulfilled, "it is so already")
        bench.connectByInterfaceFromNothing()
        #expect(bench.ask(.switchOrganisation(OrganisationID("a"))) == .failed(.wrongState), "not in a call")
        var other = Bench()
        #expect(other.ask(.switchOrganisation(OrganisationID("a"))) == .failed(.notSupported))
    }

    @Test func manualSwitchIsRefusedWhileRinging() {
        var bench = Self.ready()
        bench.offer()
        #expect(bench.ask(.switchOrganisation(OrganisationID("b"))) == .failed(.wrongState))
    }

    @Test func secretsAreNotPrinted() {
        var bench = Self.answered()
        bench.post(.backend(.switched(Self.after)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        let text = bench.log.map { "\($0)" }.joined()
        #expect(text.contains("user-b"))
        #expect(!text.contains("password-b"))
    }
}

extension Bench {
    mutating func connectByInterfaceFromNothing() {
        offer()
        connectByInterface()
    }
}
