import Base
import LineCore
import SIPCore
import Testing

/// An account's server, played by the test, and another party that asks for the password.
@Suite("Challenges of several realms")
struct DigestRealmTests {
    private static let ours = #"Digest realm="example", nonce="1", qop="auth""#
    private static let theirs = #"Digest realm="elsewhere", nonce="2", qop="auth""#

    private func world(realm: String?) -> World {
        var world = World()
        world.add(RegistrationTests.account(realm: realm))
        world.run(.milliseconds(100))
        return world
    }

    private func answer(_ world: inout World, _ status: SIPStatus, _ lines: [(SIPHeaderName, String)]) throws {
        let request = try #require(world.caughtRequests.last)
        var response = request.response(status, tag: "server")
        for (name, value) in lines { response.headers.append(name, value) }
        world.carry(response.bytes, from: World.serverEndpoint, to: World.endpoint(0))
        world.run(.milliseconds(100))
    }

    /// Every Authorization that was sent, by its realm.
    private func realms(_ world: World) throws -> [String?] {
        let names: [SIPHeaderName] = [.authorization, .proxyAuthorization]
        return try world.caughtRequests.flatMap { request in
            try names.filter { request.headers.contains($0) }
                .flatMap { try request.headers.list($0, of: Authentication.self) }
                .map { $0.parameters["realm"] }
        }
    }

    @Test("a foreign realm beside ours is skipped in any order")
    func foreignRealmBesideOursIsSkippedInAnyOrder() throws {
        for lines in [
            [(SIPHeaderName.wwwAuthenticate, Self.theirs + ", " + Self.ours)],
            [(.wwwAuthenticate, Self.ours), (.proxyAuthenticate, Self.theirs)],
        ] {
            var world = world(realm: "example")
            try answer(&world, .unauthorized, lines)
            #expect(try realms(world) == ["example"])
            try answer(&world, .ok, [])
            #expect(RegistrationTests.states(world).last == .registered)
        }
    }

    @Test("a foreign realm alone is never answered, nor one of several unknown ones")
    func foreignRealmAloneIsNeverAnsweredNorOneOfSeveralUnknownOnes() throws {
        for (realm, lines) in [
            ("example", [Self.theirs]), (nil, [Self.ours, Self.theirs]),
        ] as [(String?, [String])] {
            var world = world(realm: realm)
            try answer(&world, .unauthorized, lines.map { (.wwwAuthenticate, $0) })
            #expect(try realms(world).isEmpty)
            #expect(world.caughtRequests.count == 1)
        }
    }

    @Test("one attempt answers only the first realm; after success that realm is the only one")
    func oneAttemptAnswersOnlyFirstRealm() throws {
        var world = world(realm: nil)
        try answer(&world, .unauthorized, [(.wwwAuthenticate, Self.ours)])
        #expect(try realms(world) == ["example"])
        try answer(&world, .unauthorized, [(.wwwAuthenticate, Self.theirs)])
        #expect(try realms(world) == ["example"])
        world.command(0, .reconnect(.direct))
        world.run(.milliseconds(100))
        try answer(&world, .ok, [])
        world.command(0, .reconnect(.direct))
        world.run(.milliseconds(100))
        try answer(&world, .unauthorized, [(.wwwAuthenticate, Self.theirs)])
        #expect(try Set(realms(world)) == ["example"])
    }

    @Test("the next registration uses nextnonce with a nonce count of one")
    func nextRegistrationUsesNextnonceWithNonceCountOfOne() throws {
        var world = world(realm: nil)
        try answer(&world, .unauthorized, [(.wwwAuthenticate, Self.ours)])
        try answer(&world, .ok, [(.authenticationInfo, #"nextnonce="9""#)])
        #expect(RegistrationTests.states(world).last == .registered)
        let before = world.caughtRequests.count
        world.run(.seconds(600))
        let refresh = try #require(world.caughtRequests.dropFirst(before).first { $0.method == .register })
        let answer = try #require(try refresh.headers.single(.authorization, as: Authentication.self))
        #expect(answer.parameters["nonce"] == "9")
        #expect(answer.parameters["nc"] == "00000001")
    }
}
