import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// A challenge that is weaker than the server's own, which is SHA-256 with a quality of protection.
private let weaker = [
    "Digest realm=\"example\", nonce=\"evil\", algorithm=MD5, qop=\"auth\"",
    "Digest realm=\"example\", nonce=\"evil\"", "Digest realm=\"example\", nonce=\"evil\", algorithm=SHA-256",
]
private let equal = "Digest realm=\"example\", nonce=\"evil\", algorithm=SHA-256, qop=\"auth\""

@Suite("Digest authentication never becomes weaker")
struct ProofTests {
    private let leg = CallID(.phone, 1)
    private let server = Stranger(World.serverEndpoint)

    /// A pending call and its INVITE.
    private func calling() throws -> (world: World, invite: SIPRequest) {
        var world = World.registered()
        world.server?.isSilent = true
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        return (world, try #require(world.requests(.invite).first?.request))
    }

    private func challenge(_ request: SIPRequest, _ status: SIPStatus, _ text: String) -> SIPResponse {
        var response = request.response(status, tag: "far")
        response.headers[status == .unauthorized ? .wwwAuthenticate : .proxyAuthenticate] = text
        return response
    }

    private func answers(_ world: World) -> [SIPRequest] {
        world.requests(.invite).map(\.request).filter {
            $0.headers.contains(.authorization) || $0.headers.contains(.proxyAuthorization)
        }
    }

    @Test("a challenge weaker than the realm's earlier one is never answered", arguments: weaker)
    func challengeWeakerThanRealmEarlierOneIsNeverAnswered(text: String) throws {
        for status in [SIPStatus.unauthorized, .proxyAuthenticationRequired] {
            var (world, invite) = try calling()
            world.receiveFromServer(challenge(invite, status, text))
            // The digest is repeated for the challenge of the test request.
            if let probe = world.requests(.invite).map(\.request).last, probe != invite {
                world.receiveFromServer(challenge(probe, status, text))
            }
            #expect(answers(world).isEmpty)
        }
    }

    @Test("the strongest of several challenges is answered, even if the first is too weak")
    func strongestOfSeveralChallengesIsAnsweredEvenIfFirstIsTooWeak() throws {
        var (world, invite) = try calling()
        var response = challenge(invite, .proxyAuthenticationRequired, weaker[0])
        response.headers.append(.proxyAuthenticate, equal)
        world.receiveFromServer(response)
        let answer = try #require(answers(world).first?.headers[.proxyAuthorization])
        #expect(answer.contains("SHA-256"))
    }

    /// A line whose server asks for MD5 and accepts it. A call got a stronger challenge, which was answered.
    private func challengedByMore(acceptsCall: Bool) throws -> World {
        var world = World()
        world.server = TestServer(algorithm: "MD5")
        world.add(RegistrationTests.account(expires: 60))
        world.run(.seconds(1))
        world.server?.isSilent = true
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.requests(.invite).last?.request)
        world.receiveFromServer(challenge(invite, .proxyAuthenticationRequired, equal))
        let answer = try #require(answers(world).last)
        #expect(answer.headers[.proxyAuthorization]?.contains("SHA-256") == true)
        world.receiveFromServer(
            acceptsCall
                ? server.success(to: answer, tag: "far", body: Stranger.answer) : answer.response(.busyHere, tag: "far")
        )
        #expect((world.agreed(0, leg) != nil) == acceptsCall)
        world.server?.isSilent = false
        return world
    }

    @Test(
        "a called party's stronger challenge does not block the server, even after a restart",
        arguments: [true, false])
    func calledPartyStrongerChallengeDoesNotBlockServer(acceptsCall: Bool) throws {
        var world = try challengedByMore(acceptsCall: acceptsCall)
        let before = world.server?.count(.register) ?? 0
        world.run(.seconds(600))
        #expect((world.server?.count(.register) ?? 0) - before > 8)
        #expect(RegistrationTests.states(world) == [.registering, .registered])
        let learned = world.outputs(0).compactMap { if case .trust(.learned(let trust)) = $0 { trust } else { nil } }
        #expect(learned == [LineTrust(proof: .init(.md5, hasClientNonce: true), realm: "example")])
    }

    @Test("the level a call was challenged with holds for calls until the next accepted registration")
    func strongerForCalls() throws {
        var world = try challengedByMore(acceptsCall: false)
        func call(_ number: UInt32) -> Int {
            world.command(0, .dial(CallID(.phone, number), target: "555", account: .direct, MediaEndpoint(port: 4_000)))
            world.run(.milliseconds(500))
            return answers(world).count
        }
        #expect(call(2) == 1 && world.ends(0, CallID(.phone, 2)) == [.rejected(407)])
        world.run(.seconds(60))
        #expect(call(3) == 2 && world.agreed(0, CallID(.phone, 3)) != nil)
    }

    @Test("a forged challenge to REGISTER does not block the server", arguments: ["example", "other"])
    func forgedChallengeToREGISTERDoesNotBlockServer(realm: String) throws {
        var world = World()
        world.server = TestServer(algorithm: "MD5", isSilent: true)
        world.add(RegistrationTests.account(expires: 60))
        world.run(.milliseconds(100))
        world.server?.isSilent = false
        let register = try #require(world.requests(.register).first?.request)
        world.receiveFromServer(
            challenge(register, .unauthorized, equal.replacing("example", with: realm)))
        world.run(.seconds(60))
        #expect(RegistrationTests.states(world).last == .registered)
        world.run(.seconds(600))
        #expect(RegistrationTests.states(world).last == .registered && world.server?.isRegistered == true)
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.seconds(1))
        #expect(world.agreed(0, leg) != nil)
        let learned = world.outputs(0).compactMap { if case .trust(.learned(let trust)) = $0 { trust } else { nil } }
        #expect(learned == [LineTrust(proof: .init(.md5, hasClientNonce: true), realm: "example")])
    }

    @Test("two digests in one REGISTER teach the weaker one, as the server may have read only that")
    func twoDigestsInOneREGISTERTeachWeakerOne() throws {
        var world = World()
        world.add(RegistrationTests.account(realm: nil))
        world.run(.milliseconds(100))
        for (status, text) in [
            (SIPStatus.proxyAuthenticationRequired, equal),
            (.unauthorized, "Digest realm=\"example\", nonce=\"own\", qop=\"auth\""),
        ] {
            world.receiveFromServer(challenge(try #require(world.caughtRequests.last), status, text))
        }
        let register = try #require(world.caughtRequests.last)
        #expect(register.headers.contains(.authorization) && register.headers.contains(.proxyAuthorization))
        world.receiveFromServer(register.response(.ok, tag: "a"))
        let learned = world.outputs(0).compactMap { if case .trust(.learned(let trust)) = $0 { trust } else { nil } }
        #expect(learned.map(\.proof) == [.init(.md5, hasClientNonce: true)])
    }

    @Test("after a stronger success the weaker digest is never repeated")
    func afterStrongerSuccessWeakerDigestIsNeverRepeated() throws {
        var world = World()
        world.add(RegistrationTests.account(realm: nil))
        world.run(.milliseconds(100))
        func answer(_ text: String? = nil) throws {
            let request = try #require(world.caughtRequests.last)
            world.receiveFromServer(
                text.map { challenge(request, .unauthorized, $0) } ?? request.response(.ok, tag: "a"))
        }
        try answer("Digest realm=\"example\", nonce=\"old\"")
        #expect(world.caughtRequests.last?.headers[.authorization]?.contains("old") == true)
        try answer()
        for text in [equal, weaker[0]] {
            world.command(0, .reconnect(.direct))
            world.run(.milliseconds(100))
            try answer(text)
            try answer()
        }
        let registers = world.requests(.register).map(\.request)
        #expect(registers.count == 5)
        #expect(registers.suffix(2).allSatisfy { $0.headers[.authorization]?.contains("SHA-256") == true })
    }

    @Test("a far end's 401 behind a proxy is tested without forwarding, and then not answered")
    func farEnd401BehindProxyIsTestedWithoutForwarding() throws {
        var (world, invite) = try calling()
        world.receiveFromServer(challenge(invite, .unauthorized, equal))
        let probe = try #require(world.requests(.invite).map(\.request).last)
        #expect(probe != invite && probe.headers[.maxForwards] == "0")
        // A proxy does not forward it (RFC 3261 §16.3).
        world.receiveFromServer(probe.response(SIPStatus(483), tag: "proxy"))
        #expect(answers(world).isEmpty)
        #expect(world.ends(0, leg) == [.rejected(401)])
    }

    @Test("a back-to-back server's 401 is tested once and answered from then on")
    func backToBackServer401IsTestedOnceAndAnsweredFromThenOn() throws {
        var (world, invite) = try calling()
        world.receiveFromServer(challenge(invite, .unauthorized, equal))
        let probe = try #require(world.requests(.invite).map(\.request).last)
        world.receiveFromServer(challenge(probe, .unauthorized, equal))
        let answer = try #require(answers(world).first)
        #expect(answer.headers[.maxForwards] == "70")
        world.receiveFromServer(server.success(to: answer, tag: "far", body: Stranger.answer))
        #expect(world.agreed(0, leg) != nil)

        let second = CallID(.phone, 2)
        world.command(0, .dial(second, target: "556", account: .direct, MediaEndpoint(port: 4_002)))
        world.run(.milliseconds(100))
        let next = try #require(world.requests(.invite).map(\.request).last)
        world.receiveFromServer(challenge(next, .unauthorized, equal))
        #expect(
            answers(world).count == 2
                && world.requests(.invite).allSatisfy { $0.request.headers[.maxForwards] != "0" || $0.request == probe }
        )
    }

    @Test(
        "a registering account learns the realm only from registration", arguments: [true, false]
    )
    func registeringAccountLearnsRealmOnlyFromRegistration(isRegistered: Bool) throws {
        var world = World()
        world.add(RegistrationTests.account(realm: nil))
        world.run(.milliseconds(100))
        if isRegistered { world.receiveFromServer(try #require(world.caughtRequests.last).response(.ok, tag: "a")) }
        world.command(0, .dial(leg, target: "555", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.requests(.invite).first?.request)
        world.receiveFromServer(challenge(invite, .proxyAuthenticationRequired, equal))
        #expect(answers(world).isEmpty)
        #expect(world.ends(0, leg) == [.rejected(407)])
    }

    @Test("a 401 inside a call is not answered")
    func insideACall() throws {
        var (world, invite) = try calling()
        world.receiveFromServer(server.success(to: invite, tag: "far", body: Stranger.answer))
        world.command(0, .hold(leg, true))
        world.run(.milliseconds(100))
        let reinvite = try #require(world.requests(.invite).map(\.request).last)
        #expect(reinvite != invite)
        world.receiveFromServer(challenge(reinvite, .unauthorized, equal))
        #expect(answers(world).isEmpty)
    }

    @Test("an offer never weakens the protection of a call's voice", arguments: [SIPMethod.invite, .update])
    func offerNeverWeakensProtectionOfCallVoice(method: SIPMethod) throws {
        var world = World.registered { $0.media.protection = .offered }
        let caller = Stranger(World.serverEndpoint)
        let tag = try world.answerServersCall(of: caller)
        let clear =
            Stranger.body.replacing("SAVP", with: "AVP").split(separator: "\r\n")
            .filter { !$0.hasPrefix("a=crypto") }.joined(separator: "\r\n") + "\r\n"
        world.receiveFromServer(
            caller.request(method, sequence: 20, branch: "z9hG4bK-clear", toTag: tag, body: clear))
        let statuses = world.heard.compactMap { bytes -> Int? in
            guard case .response(let response)? = try? SIPMessage(bytes.span),
                (try? response.headers.cSeq.number) == 20
            else { return nil }
            return response.status.code
        }
        #expect(statuses.filter { $0 >= 200 } == [488])
        #expect(world.renegotiated(0, CallID(.line(.direct), 1)).isEmpty)
        #expect(world.ends(0, CallID(.line(.direct), 1)).isEmpty)
    }
}
