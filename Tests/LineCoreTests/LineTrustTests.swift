import Base
import LineCore
import SIPCore
import Testing

@Suite("Trust in a server outlives the process")
struct LineTrustTests {
    private static let strong = LineTrust(proof: .init(.sha2, hasClientNonce: true), realm: "example")

    /// A line of a restarted process, whose server is the test; its first REGISTER is sent.
    private func restarted(knowing trust: LineTrust, password: String = "sesame") -> World {
        var world = World()
        var configuration = RegistrationTests.account(password: password)
        configuration.account?.trust = trust
        world.add(configuration)
        world.run(.milliseconds(100))
        return world
    }

    private func challenge(_ world: inout World, _ text: String) throws {
        var response = try #require(world.caughtRequests.last).response(.unauthorized, tag: "server")
        response.headers[.wwwAuthenticate] = text
        world.receiveFromServer(response)
    }

    private func learned(_ outputs: [LineOutput]) -> [LineTrust] {
        outputs.compactMap { if case .trust(.learned(let trust)) = $0 { trust } else { nil } }
    }

    private func refused(_ outputs: [LineOutput]) -> [TrustBreach] {
        outputs.compactMap { if case .trust(.refused(let breach)) = $0 { breach } else { nil } }
    }

    private func proofs(_ world: World) -> [SIPRequest] {
        world.requests(.register).map(\.request).filter { $0.headers.contains(.authorization) }
    }

    // MARK: Digest

    @Test(
        "after a restart a weaker first challenge is not answered, in any realm",
        arguments: [
            "realm=\"example\", nonce=\"evil\", algorithm=MD5, qop=\"auth\"", "realm=\"example\", nonce=\"evil\"",
            "realm=\"example\", nonce=\"evil\", algorithm=SHA-256", "realm=\"other\", nonce=\"evil\", qop=\"auth\"",
        ])
    func afterRestartWeakerFirstChallengeIsNotAnsweredInAnyRealm(text: String) throws {
        var world = restarted(knowing: Self.strong)
        try challenge(&world, "Digest " + text)
        #expect(proofs(world).isEmpty)
        #expect(
            RegistrationTests.states(world).last
                == .failed("the server asks for a weaker proof of the password than before"))
        let breach = TrustBreach.weakerProof(than: .init(.sha2, hasClientNonce: true))
        #expect(refused(world.outputs(0)) == [breach])
        #expect(breach.sentence.contains("SHA-2 with a client nonce"))
    }

    @Test("an equally strong challenge is answered, even in a new realm")
    func equallyStrongChallengeIsAnsweredEvenInNewRealm() throws {
        for realm in ["example", "renamed"] {
            var world = restarted(knowing: Self.strong)
            try challenge(&world, "Digest realm=\"\(realm)\", nonce=\"n\", algorithm=SHA-512-256, qop=\"auth\"")
            #expect(proofs(world).count == 1 && refused(world.outputs(0)).isEmpty)
        }
    }

    @Test("repeated weak challenges do not flood the log")
    func repeatedWeakChallengesDoNotFloodLog() throws {
        var world = restarted(knowing: Self.strong)
        for _ in 1...20 {
            try challenge(&world, "Digest realm=\"example\", nonce=\"evil\"")
            world.command(0, .reconnect(.direct))
            world.run(.milliseconds(100))
        }
        #expect(world.requests(.register).count > 20 && proofs(world).isEmpty)
        #expect(refused(world.outputs(0)).count == 3)
    }

    @Test("a learned level is reported once, after the server accepted it", arguments: ["MD5", "SHA-256"])
    func learnedLevelIsReportedOnceAfterServerAcceptedIt(algorithm: String) {
        var world = World()
        world.server = TestServer(algorithm: algorithm)
        world.add(RegistrationTests.account())
        world.run(.seconds(2_400))
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect((world.server?.count(.register) ?? 0) > 4 && world.agreed(0, CallID(.phone, 1)) != nil)
        let proof = LineTrust.Proof(algorithm == "MD5" ? .md5 : .sha2, hasClientNonce: true)
        #expect(learned(world.outputs(0)) == [LineTrust(proof: proof, realm: "example")])
    }

    @Test(
        "a known level is not reported again, a stronger one is",
        arguments: [
            (strong, []), (LineTrust(), [strong]),
            (LineTrust(proof: .init(.md5, hasClientNonce: true), realm: "example"), [strong]),
            (LineTrust(isOverTLS: true), [LineTrust(proof: strong.proof, realm: "example", isOverTLS: true)]),
        ])
    func knownLevelIsNotReportedAgainStrongerOneIs(known: LineTrust, expected: [LineTrust]) {
        var world = World()
        world.server = TestServer()
        var configuration = RegistrationTests.account()
        configuration.account?.trust = known
        world.add(configuration)
        world.run(.seconds(1))
        #expect(RegistrationTests.states(world).last == .registered)
        #expect(learned(world.outputs(0)) == expected)
    }

    @Test("a strong challenge without success teaches nothing, as it may be forged")
    func strongChallengeWithoutSuccessTeachesNothingAsItMayBeForged() throws {
        var world = restarted(knowing: LineTrust())
        try challenge(&world, "Digest realm=\"example\", nonce=\"n\", algorithm=SHA-256, qop=\"auth\"")
        #expect(proofs(world).count == 1)
        world.run(.seconds(60))
        #expect(learned(world.outputs(0)).isEmpty)
    }

    @Test("a hostile realm is reported bounded and printable")
    func hostileRealmIsReportedBoundedAndPrintable() throws {
        var world = restarted(knowing: LineTrust())
        try challenge(&world, "Digest realm=\"\u{202E}\(String(repeating: "x", count: 200))\", nonce=\"n\"")
        let accepted = try #require(world.caughtRequests.last)
        world.receiveFromServer(accepted.response(.ok, tag: "server"))
        let proof = LineTrust.Proof(.md5, hasClientNonce: false)
        #expect(learned(world.outputs(0)) == [LineTrust(proof: proof, realm: String(repeating: "x", count: 128))])
    }

    @Test("an account without registration learns from its first call")
    func accountWithoutRegistrationLearnsFromItsFirstCall() {
        var world = World()
        world.server = TestServer()
        world.add(RegistrationTests.account(registers: false))
        world.command(0, .dial(CallID(.phone, 1), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.agreed(0, CallID(.phone, 1)) != nil)
        #expect(learned(world.outputs(0)) == [Self.strong])
    }

    @Test("other credentials at the same server get no weaker answer, either")
    func otherCredentialsAtSameServerGetNoWeakerAnswerEither() throws {
        var world = restarted(knowing: Self.strong)
        world.command(0, .reconfigure(.direct, AccountCredentials(user: "bert", password: Redacted("hunter2"))))
        world.run(.seconds(2))
        try challenge(&world, "Digest realm=\"example\", nonce=\"evil\", qop=\"auth\"")
        #expect(proofs(world).isEmpty && refused(world.outputs(0)).count == 1)
    }

    // MARK: TLS

    private static let byName = NextHop(host: "server.example", transport: nil)

    @Test("a server once reached over TLS is reached over nothing else")
    func serverOnceReachedOverTLSIsReachedOverNothingElse() {
        var home = Ground.account { $0.server = Self.byName }
        home.account?.trust = LineTrust(isOverTLS: true)
        for flows in [[Ground.flow(.udp)], [Ground.flow(.tcp), Ground.flow(.udp)]] {
            var ground = Ground(home, flows: flows)
            ground.run(.seconds(60))
            #expect(ground.requests.isEmpty)
            #expect(
                ground.registrations.last == .failed("the name service no longer offers TLS for the server"))
            #expect(refused(ground.outputs).first == .weakerTransport)
            ground.flows += [Ground.flow(.tls)]
            ground.tell(.command(.reconnect(.direct)))
            #expect(ground.registrations.last == .registered)
            #expect(ground.requests.allSatisfy { $0.flow.transport == .tls })
        }
    }

    @Test("TLS is learned once, if DNS chose it")
    func tlsIsLearnedOnceIfDNSChoseIt() {
        for (transport, expected) in [
            (Flow.Transport.tls, [LineTrust(isOverTLS: true)]), (.tcp, []), (.udp, []),
        ] {
            var ground = Ground(Ground.account { $0.server = Self.byName }, flows: [Ground.flow(transport)])
            ground.run(.seconds(700))
            #expect(ground.registrations.last == .registered)
            #expect(learned(ground.outputs) == expected)
        }
        let named = Ground(
            Ground.account { $0.server = NextHop(host: "server.example", transport: .tls) }, flows: [Ground.flow(.tls)])
        #expect(named.registrations.last == .registered && learned(named.outputs).isEmpty)
    }
}
