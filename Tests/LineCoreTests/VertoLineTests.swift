import Base
import ICECore
import JSON
import LineCore
import SDPCore
import SIPCore
import Testing
import VertoCore

/// An account at a server that speaks Verto: sessions and calls of its line, with descriptions of media.
@Suite struct VertoLineTests {
    /// A line, and what its server would say.
    private struct Ground {
        static let flow = Flow(.wss, local: .init("192.0.2.1", 40_000), remote: .init("203.0.113.9", 443))
        static let server = NextHop(host: "rtc.example", port: 443, transport: .wss)
        static let fingerprint = CertificateFingerprint(digest: Array(repeating: 7, count: 32))
        static let capabilities = MediaCapabilities(protection: .dtls, fingerprint: fingerprint)

        var line: VertoLine
        var far: MediaNegotiation
        var generator = SeededGenerator(seed: 7)
        var now = Instant.zero
        var outputs: [LineOutput] = []
        private var nextID: Int64 = 100

        init() throws {
            var seed: UInt64 = 0
            var account = LineConfiguration.Account(domain: "rtc.example", server: Self.server)
            account.verto = .telnyx
            account.password = Redacted("secret")
            line = VertoLine(
                configuration: LineConfiguration(user: "101", account: account, media: Self.capabilities),
                makeGenerator: {
                    seed += 1
                    return SeededGenerator(seed: seed)
                })
            far = MediaNegotiation(
                capabilities: Self.capabilities, local: .init(host: "203.0.113.9", port: 9_000),
                ice: try Self.ways("f", 9_000), using: &generator)
        }

        static func ways(_ letter: Character, _ port: Int) throws -> LocalICE {
            let credentials = try #require(
                ICECredentials(
                    userFragment: String(repeating: letter, count: 4),
                    password: Redacted(String(repeating: letter, count: 22))))
            let candidate = "1 1 UDP 2130706431 192.0.2.1 \(port) typ host"
            return LocalICE(ICEDescription(credentials: credentials, candidates: [candidate]), use: .always)
        }

        mutating func post(_ input: LineInput) {
            now = now + .milliseconds(20)
            outputs = line.handle(input, at: now)
        }

        /// The frames that left with the last input.
        var frames: [JSONValue] {
            outputs.compactMap {
                if case .send(let bytes, Self.flow) = $0 { try? JSONValue(parsing: bytes) } else { nil }
            }
        }

        mutating func say(_ frame: JSONValue) { post(.received(Array(frame.text.utf8), Self.flow)) }

        /// The server's answer to the last frame.
        mutating func answer(_ result: JSONValue) throws {
            let id = try #require(frames.last?["id"])
            say(["jsonrpc": "2.0", "id": id, "result": result])
        }

        /// A request of the server's.
        mutating func ask(_ method: String, _ params: JSONValue) {
            nextID += 1
            say(["jsonrpc": "2.0", "id": .integer(nextID), "method": .string("telnyx_rtc." + method), "params": params])
        }

        mutating func register() throws {
            post(.start)
            #expect(outputs.contains(.locate(Self.server)))
            post(.located(Self.server, [Self.flow]))
            #expect(frames.last?["method"] == "login")
            try answer(["message": "logged in", "sessid": try #require(frames.last?["params"]?["sessid"])])
            ask("clientReady", ["reattached_sessions": []])
            let asked = try #require(frames.last { $0["method"] == "telnyx_rtc.gatewayState" }?["id"])
            say(["jsonrpc": "2.0", "id": asked, "result": ["params": ["state": "REGED"]]])
            #expect(outputs.contains(.registration(.registered)))
        }

        /// A call of ours whose invitation has left.
        /// - Returns: Its name and its offer.
        mutating func invite(_ leg: LegID) throws -> (call: JSONValue, offer: SessionDescription) {
            post(.command(.invite(leg, target: "102", media: LocalMedia(port: 4_000, ice: try Self.ways("a", 4_000)))))
            let params = try #require(frames.last?["params"])
            #expect(params["dialogParams"]?["destination_number"] == "102")
            let call = try #require(params["dialogParams"]?["callID"])
            let offer = try SessionDescription(parsing: Array(try #require(params["sdp"]?.string).utf8))
            try answer(["message": "CALL CREATED", "callID": call])
            return (call, offer)
        }

        mutating func answered(_ leg: LegID) throws -> JSONValue {
            let (call, offer) = try invite(leg)
            let answer = try far.answer(to: offer, held: false, using: &generator)
            ask("ringing", ["callID": call])
            #expect(outputs.contains(.ringing(leg)))
            ask("answer", ["callID": call, "sdp": .string(String(decoding: answer.description.bytes, as: UTF8.self))])
            return call
        }

        func agreed(_ leg: LegID) -> NegotiatedMedia? {
            outputs.lazy.compactMap { if case .answered(leg, let agreed) = $0 { agreed } else { nil } }.first
        }
    }

    private let leg = LegID(.local, 1)

    @Test func aCallOfOursHasKeysFromAHandshakeAndAPathByICE() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        let agreed = try #require(ground.agreed(leg))
        #expect(agreed.dtls != nil && agreed.ice?.isControlling == true)
        ground.ask("bye", ["callID": call, "cause": "NORMAL_CLEARING", "causeCode": 16])
        #expect(ground.outputs.contains(.ended(leg, .hungUpThere)))
    }

    @Test func earlyMediaAreTheAnswersWhereItHasNone() throws {
        var ground = try Ground()
        try ground.register()
        let (call, offer) = try ground.invite(leg)
        let early = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        ground.ask("media", ["callID": call, "sdp": .string(String(decoding: early.bytes, as: UTF8.self))])
        #expect(ground.outputs.contains { if case .earlyMedia(leg, _) = $0 { true } else { false } })
        ground.ask("answer", ["callID": call])
        #expect(ground.agreed(leg)?.dtls != nil)
    }

    @Test func aCallToUsIsOfferedAnsweredAndHungUp() throws {
        var ground = try Ground()
        try ground.register()
        let offer = ground.far.offer(held: false, using: &ground.generator)
        ground.ask(
            "invite",
            [
                "callID": "c1", "sdp": .string(String(decoding: offer.bytes, as: UTF8.self)),
                "caller_id_number": "5550100", "caller_id_name": "Ada",
            ])
        let offered = ground.outputs.lazy.compactMap { output -> (LegID, CallerIdentity)? in
            if case .offered(let leg, let caller) = output { (leg, caller) } else { nil }
        }.first
        let (leg, caller) = try #require(offered)
        #expect(caller.number == "5550100" && caller.displayName == "Ada" && caller.vouched == nil)
        let ways = try Ground.ways("a", 4_000)
        ground.post(.command(.answer(leg, media: LocalMedia(port: 4_000, ice: ways))))
        let sdp = try #require(ground.frames.last?["params"]?["sdp"]?.string)
        #expect(ground.agreed(leg) == nil, "the server does not know yet")
        try ground.answer(["callID": "c1"])
        let theirs = try ground.far.conclude(SessionDescription(parsing: Array(sdp.utf8)))
        #expect(ground.agreed(leg)?.ice?.remote == theirs.ice?.local)
        ground.post(.command(.end(leg)))
        #expect(ground.frames.last?["method"] == "telnyx_rtc.bye")
        #expect(ground.outputs.contains(.ended(leg, .hungUpHere)))
    }

    @Test func theServerHoldsAndNothingIsSentMeanwhile() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        ground.post(.command(.hold(leg, true)))
        try ground.answer(["callID": call, "action": "hold", "holdState": "held"])
        let held = ground.outputs.lazy.compactMap { if case .holdSettled(_, let agreed) = $0 { agreed } else { nil } }
            .first
        #expect(held?.direction == .inactive)
        ground.post(.command(.hold(leg, false)))
        try ground.answer(["callID": call, "action": "unhold", "holdState": "active"])
        let back = ground.outputs.lazy.compactMap { if case .holdSettled(_, let agreed) = $0 { agreed } else { nil } }
            .first
        #expect(back?.direction == .sendrecv)
    }

    /// Another address: the ways to it go to the server, which answers with its own.
    @Test func aMoveIsAnUpdateOfItsMedia() throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.answered(leg)
        ground.post(.command(.move(leg, ice: try Ground.ways("z", 4_000))))
        let params = try #require(ground.frames.last?["params"])
        #expect(params["action"] == "updateMedia")
        let offer = try SessionDescription(parsing: Array(try #require(params["sdp"]?.string).utf8))
        let answer = try ground.far.answer(to: offer, held: false, using: &ground.generator).description
        try ground.answer(
            [
                "callID": call, "action": "updateMedia",
                "sdp": .string(String(decoding: answer.bytes, as: UTF8.self)),
            ])
        let moved = ground.outputs.lazy.compactMap { if case .moved(_, let agreed) = $0 { agreed } else { nil } }.first
        #expect(moved?.ice?.local.credentials.userFragment == "zzzz")
        #expect(moved?.ice?.remote.credentials.userFragment != "ffff", "both began another session")
    }

    @Test(arguments: [("USER_BUSY", 17, LegEnd.busyThere), ("UNALLOCATED_NUMBER", 1, .rejected(404))])
    func aCauseIsAReason(cause: (String, Int64, LegEnd)) throws {
        var ground = try Ground()
        try ground.register()
        let call = try ground.invite(leg).call
        ground.ask("bye", ["callID": call, "cause": .string(cause.0), "causeCode": .integer(cause.1)])
        #expect(ground.outputs.contains(.ended(leg, cause.2)))
    }

    @Test func whatVertoCannotIsSaid() throws {
        var ground = try Ground()
        try ground.register()
        _ = try ground.answered(leg)
        ground.post(.command(.transfer(leg, to: "103")))
        #expect(ground.outputs == [.transferSettled(leg, accepted: false)])
    }

    /// Voice in clear has no place in it.
    @Test func anOfferWithoutAHandshakeIsRefused() throws {
        var ground = try Ground()
        try ground.register()
        let clear = "v=0\r\no=- 7 7 IN IP4 1.2.3.4\r\ns=-\r\nc=IN IP4 1.2.3.4\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n"
        ground.ask("invite", ["callID": "c1", "sdp": .string(clear), "caller_id_number": "5550100"])
        #expect(ground.outputs.contains { if case .refused(_, _, .noProtection) = $0 { true } else { false } })
        #expect(ground.frames.contains { $0["method"] == "telnyx_rtc.bye" })
    }
}
