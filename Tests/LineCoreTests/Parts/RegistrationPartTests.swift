import Base
import LineCore
import SIPCore
import Testing

@Suite("Registration, as a unit")
struct RegistrationPartTests {
    /// A line whose first REGISTER is pending.
    private struct Desk {
        var bench = PartBench()
        var registration: Registration
        var request: SIPRequest

        init(over flow: Flow = PartBench.server) throws {
            registration = Registration(bench.context.makeRegistrant())
            #expect(registration.start(in: bench.context).map(Self.name) == ["registering", "locate 1"])
            let effects = registration.register(1, by: [flow], in: bench.context)
            guard case .register(let request, 1, flow)? = effects.first else { throw Missing() }
            self.request = request
        }

        struct Missing: Error {}

        static func name(_ effect: Registration.Effect) -> String {
            switch effect {
            case .locate(let number): "locate \(number)"
            case .abandon(let number): "abandon \(number)"
            case .abandonLeaving(let number): "abandon leaving \(number)"
            case .register(_, let number, _): "register \(number)"
            case .unregister(_, let number, _): "unregister \(number)"
            case .keepAlive: "keepAlive"
            case .options: "options"
            case .died: "died"
            case .moved: "moved"
            case .forgetRoutes: "forgetRoutes"
            case .state(.registering): "registering"
            case .state(.registered): "registered"
            case .state(.notNeeded): "notNeeded"
            case .state(.failed(let why)): why
            case .state(.disconnected): "disconnected"
            case .left(let successor): successor.map { "left for \($0.user)" } ?? "left"
            }
        }

        mutating func accept() -> [String] {
            let response = PartBench.response(
                .ok, to: request, [(.contact, request.headers[.contact] ?? ""), (.expires, "600")])
            return registration.accepted(1, response, home: [], in: &bench.context, at: bench.now).map(Self.name)
        }

        mutating func deadline() throws -> [String] {
            bench.now = try #require(registration.deadline)
            return registration.deadlineReached(in: &bench.context, at: bench.now).map(Self.name)
        }
    }

    @Test("success is reported once; renewal follows silently after two thirds")
    func successIsReportedOnceRenewalFollowsSilentlyAfterTwoThirds() throws {
        var desk = try Desk(over: PartBench.stream)
        #expect(desk.accept() == ["registered"])
        var effects: [String] = []
        while effects != ["locate 1"] { effects = try desk.deadline() }
        #expect(desk.bench.now >= Instant.zero + .seconds(390) && desk.bench.now <= Instant.zero + .seconds(450))
    }

    @Test("over UDP it is renewed every two minutes at most, as the server may have forgotten it")
    func overUDPItIsRenewedEveryTwoMinutesAtMost() throws {
        var desk = try Desk()
        #expect(desk.accept() == ["registered"])
        var effects: [String] = []
        while effects != ["locate 1"] { effects = try desk.deadline() }
        #expect(desk.bench.now >= Instant.zero + .seconds(78) && desk.bench.now <= Instant.zero + .seconds(90))
    }

    @Test("a failure is reported with its reason, and the pause doubles up to two minutes")
    func failureIsReportedWithItsReason() throws {
        var desk = try Desk()
        var longest = Duration.seconds(30)
        for attempt in 0..<4 {
            let before = desk.bench.now
            let why = desk.registration.failed(1, "nobody there", in: &desk.bench.context, at: before)
            #expect(why.map(Desk.name).contains("nobody there"))
            #expect(try desk.deadline() == ["registering", "locate 1"], "attempt \(attempt)")
            let pause = desk.bench.now - before
            #expect(pause >= longest / 2 && pause <= longest)
            longest = min(longest * 2, .seconds(120))
            _ = desk.registration.register(1, by: [PartBench.server], in: desk.bench.context)
        }
    }

    @Test(
        "a broken connection is restored at once, one that keeps breaking ever more rarely"
    )
    func brokenConnectionIsRestoredAtOnce() throws {
        var desk = try Desk(over: PartBench.stream)
        var pauses: [Duration] = []
        for _ in 0..<4 {
            _ = desk.accept()
            let before = desk.bench.now + .seconds(pauses.isEmpty ? 60 : 1)
            desk.bench.now = before
            let effects = desk.registration.broke(PartBench.stream, in: &desk.bench.context, at: before)
            #expect(effects.map(Desk.name) == ["moved"])
            #expect(try desk.deadline() == ["locate 1"])
            pauses.append(desk.bench.now - before)
            _ = desk.registration.register(1, by: [PartBench.stream], in: desk.bench.context)
        }
        #expect(pauses[0] <= .milliseconds(500))
        #expect(pauses[1] >= .seconds(2) && pauses[2] >= .seconds(4) && pauses[3] >= .seconds(8))
    }

    @Test("a changed account unregisters first, and waits at most a second for the server")
    func changedAccountUnregistersFirst() throws {
        var desk = try Desk()
        _ = desk.accept()
        let bert = AccountCredentials(user: "bert", password: .init("secret"))
        let effects = desk.registration.reconfigure(bert, in: desk.bench.context, at: .zero)
        #expect(effects.map(Desk.name) == ["abandon 1", "registering", "unregister 1"])
        #expect(desk.registration.isLeaving && desk.registration.living.isEmpty == false)
        #expect(try desk.deadline() == ["abandon leaving 1", "left for bert"])
        #expect(desk.bench.now == Instant.zero + LineMachine.leaving)
        let registrant = desk.bench.context.makeRegistrant()
        #expect(desk.registration.become(registrant, in: &desk.bench.context).map(Desk.name) == ["locate 1"])
    }

    @Test("shutdown unregisters for good")
    func shutdownUnregistersForGood() throws {
        var desk = try Desk()
        _ = desk.accept()
        #expect(desk.registration.shutDown(in: desk.bench.context).map(Desk.name) == ["unregister 1"])
        #expect(desk.registration.unregistered(1).isEmpty && !desk.registration.isLeaving)
        #expect(desk.registration.reconnect(in: desk.bench.context).isEmpty)
        #expect(desk.registration.networkChanged().isEmpty)
    }

    @Test("disconnect unregisters, and neither network changes nor time reconnect")
    func disconnected() throws {
        var desk = try Desk()
        _ = desk.accept()
        let effects = desk.registration.disconnect(in: &desk.bench.context, at: .zero)
        #expect(effects.map(Desk.name) == ["abandon 1", "disconnected", "unregister 1"])
        #expect(desk.registration.unregistered(1).isEmpty && desk.registration.deadline == nil)
        #expect(desk.registration.networkChanged().map(Desk.name) == ["forgetRoutes"])
        #expect(desk.registration.disconnect(in: &desk.bench.context, at: .zero).isEmpty)
        let back = desk.registration.reconnect(in: desk.bench.context)
        #expect(back.map(Desk.name) == ["forgetRoutes", "registering", "locate 1"])
    }

    @Test("a reconnect during unregistering registers afterwards")
    func reconnectDuringUnregisteringRegistersAfterwards() throws {
        var desk = try Desk()
        _ = desk.accept()
        _ = desk.registration.disconnect(in: &desk.bench.context, at: .zero)
        #expect(desk.registration.reconnect(in: desk.bench.context).map(Desk.name) == ["registering"])
        #expect(desk.registration.unregistered(1).map(Desk.name) == ["left"])
        let registrant = desk.bench.context.makeRegistrant()
        #expect(desk.registration.become(registrant, in: &desk.bench.context).map(Desk.name) == ["locate 1"])
    }

    @Test("a silent server is waited for one second before the line ends")
    func silentServerIsWaitedForOneSecondBeforeLineEnds() throws {
        var desk = try Desk()
        _ = desk.accept()
        _ = desk.registration.disconnect(in: &desk.bench.context, at: .zero)
        #expect(try desk.deadline() == ["abandon leaving 1"])
        #expect(desk.registration.deadline == nil && !desk.registration.isLeaving)
    }

    @Test("new credentials connect again")
    func newCredentialsConnectAgain() throws {
        var desk = try Desk()
        _ = desk.accept()
        _ = desk.registration.disconnect(in: &desk.bench.context, at: .zero)
        _ = desk.registration.unregistered(1)
        let bert = AccountCredentials(user: "bert", password: .init("secret"))
        let effects = desk.registration.reconfigure(bert, in: desk.bench.context, at: .zero)
        #expect(effects.map(Desk.name) == ["registering", "left for bert"])
    }

    @Test("a network change repeats everything silently")
    func networkChangeRepeatsEverythingSilently() throws {
        var desk = try Desk()
        _ = desk.accept()
        #expect(desk.registration.networkChanged().map(Desk.name) == ["forgetRoutes", "abandon 1", "locate 1"])
    }
}
