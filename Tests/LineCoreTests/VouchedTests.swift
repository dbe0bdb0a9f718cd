import Base
import LineCore
import SIPCore
import Testing

@Suite("Vouched caller numbers")
struct VouchedTests {
    private func caller(
        from: String = "sip:200@server.example", _ extra: [(SIPHeaderName, String)] = [], isServer: Bool = true,
        trustsFrom: Bool = false
    ) throws -> Caller {
        var world = World.registered { configuration in
            configuration.accepts = .anyone
            configuration.account?.vouchesForFrom = trustsFrom
        }
        let peer = isServer ? Stranger(World.serverEndpoint) : Stranger()
        let headers = [(SIPHeaderName.from, "<\(from)>;tag=stranger")] + extra
        world.receive(peer.request(.invite, body: Stranger.body, extra: headers).bytes, from: peer)
        return try #require(world.callerIdentity(0))
    }

    @Test("From is trusted only if the server writes it")
    func fromIsTrustedOnlyIfServerWritesIt() throws {
        #expect(try caller().vouched == nil)
        let known = try #require(try caller(trustsFrom: true).vouched)
        #expect(known.number == "200" && known.domain == nil)
        #expect(try caller(isServer: false, trustsFrom: true).vouched == nil)
    }

    @Test(
        "the server's asserted identity has its domain",
        arguments: [
            ("sip:200@server.example", "200", nil), ("sip:200@SERVER.EXAMPLE:5070", "200", nil),
            ("sip:200@192.0.2.100", "200", nil), ("sip:200@trunk.example", "200", "trunk.example"),
            ("tel:+4930200", "+4930200", nil), ("tel:200;phone-context=trunk.example", "200", "trunk.example"),
        ] as [(String, String, String?)])
    func serverAssertedIdentityHasItsDomain(identity: String, number: String, domain: String?) throws {
        let vouched = try #require(try caller([(.pAssertedIdentity, "<\(identity)>")]).vouched)
        #expect(vouched.number == number && vouched.domain == domain)
        #expect(try caller([(.pAssertedIdentity, "<\(identity)>")], isServer: false).vouched == nil)
    }

    @Test("Remote-Party-ID counts if it was screened")
    func remotePartyIDCountsIfItWasScreened() throws {
        let header = SIPHeaderName("Remote-Party-ID")
        let party = "<sip:200@server.example>;party=calling"
        #expect(try caller([(header, party + ";screen=yes")]).vouched?.number == "200")
        #expect(try caller([(header, party + ";screen=no")]).vouched == nil)
        #expect(try caller([(header, party)]).vouched == nil)
    }

    @Test("a withheld or unprintable number is not vouched for")
    func withheldOrUnprintableNumberIsNotVouchedFor() throws {
        let asserted = SIPHeaderName.pAssertedIdentity
        #expect(try caller([(asserted, "<sip:200@server.example>"), (SIPHeaderName("Privacy"), "id")]).vouched == nil)
        #expect(try caller([(asserted, "<sip:2%E2%80%8B00@server.example>")]).vouched?.number != "200")
        let long = String(repeating: "2", count: 65)
        #expect(try caller([(asserted, "<sip:\(long)@server.example>")]).vouched == nil)
    }

    @Test("on the direct line a caller's address identifies it")
    func onDirectLineCallerAddressIdentifiesIt() throws {
        var world = World()
        world.add(Calls.direct("alice"))
        let stranger = Stranger()
        world.receive(stranger.invite(asserting: "<sip:200@server.example>").bytes, from: stranger)
        let vouched = try #require(world.callerIdentity(0)?.vouched)
        #expect(vouched.number == "mallory" && vouched.domain == "203.0.113.9")
    }

    @Test("a name is bounded in bytes, and in marks per character")
    func nameIsBoundedInBytesAndInMarksPerCharacter() throws {
        let marks = String(repeating: "\u{301}", count: 1_000)
        let written = "\"A\(marks)\u{202E}nna\" <sip:200@server.example>"
        let name = try #require(try caller([(.pAssertedIdentity, written)]).displayName)
        #expect(name.unicodeScalars.count == 8 && name.utf8.count <= Caller.nameLimit)
        let long = try caller([
            (.pAssertedIdentity, "\"\(String(repeating: "ä", count: 500))\" <sip:200@server.example>")
        ])
        #expect(try #require(long.displayName).utf8.count == Caller.nameLimit)
    }
}
