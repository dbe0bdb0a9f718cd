import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Message sources of the direct line")
struct DirectGateTests {
    private let leg = CallID(.line(.direct), 1)
    private let caller = Stranger()
    /// Another peer that may call.
    private static let peer = Flow.Endpoint("198.51.100.66", 5060)

    private static let places = [
        Elsewhere(testDescription: "another listed peer", endpoint: peer),
        Elsewhere(testDescription: "another listed peer, another port", endpoint: .init(peer.host, 40_000)),
        Elsewhere(testDescription: "another listed peer over TCP", endpoint: peer, stream: .init(.tcp, opener: .peer)),
        Elsewhere(testDescription: "the far end's host, another port", endpoint: .init("203.0.113.9", 40_000)),
        Elsewhere(
            testDescription: "the far end's host over TLS", endpoint: .init("203.0.113.9", 5061),
            stream: .init(.tls, opener: .peer)),
    ]

    private static let methods: [SIPMethod] = [
        .invite, .update, .bye, .info, .refer, .message, .notify, .prack, .options, .ack, .cancel,
    ]

    /// An active call of a listed peer, and the line's tag in it.
    private func called(over stream: World.Stream? = nil, contact: String = "") throws -> (world: World, tag: String) {
        var world = World()
        world.add(Calls.direct("alice", accepts: .listed([caller.endpoint.host, Self.peer.host])))
        var invite = caller.request(.invite, body: Stranger.body)
        if !contact.isEmpty { invite.headers[.contact] = contact }
        say(invite, over: stream, &world)
        world.command(0, .answer(leg, MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = try #require(world.tagForStranger)
        say(caller.request(.ack, branch: "z9hG4bK-ack", toTag: tag), over: stream, &world)
        return (world, tag)
    }

    private func say(_ request: SIPRequest, over stream: World.Stream? = nil, _ world: inout World) {
        world.carry(request.bytes, from: caller.endpoint, to: World.endpoint(0), over: stream)
        world.run(.milliseconds(100))
    }

    private func forged(_ method: SIPMethod, tag: String) -> SIPRequest {
        let isINFO = method == .info
        return caller.request(
            method, sequence: method == .cancel || method == .ack ? 10 : 77,
            branch: method == .cancel ? "z9hG4bK-s1" : "z9hG4bK-forged", toTag: method == .cancel ? nil : tag,
            body: isINFO ? "Signal=5\r\nDuration=100\r\n" : Stranger.body,
            extra: [(.referTo, "<sip:009001234567@203.0.113.9>"), (.event, "message-summary")]
                + (isINFO ? [(.contentType, "application/dtmf-relay")] : []))
    }

    /// The line's messages since then, without its rejections.
    private func news(_ world: World, since before: Int) -> [LineOutput] {
        world.outputs(0).dropFirst(before).filter { output in
            switch output {
            case .dropped, .turnedAway, .event(.refused): false
            default: true
            }
        }
    }

    @Test(
        "a sender that is not on the call's path cannot act in a peer's call, listed or not", arguments: places, methods
    )
    func senderThatIsNotOnCallPathCannotActInPeerCallListedOrNot(place: Elsewhere, method: SIPMethod) throws {
        var (world, tag) = try called()
        let before = world.outputs(0).count
        world.carry(forged(method, tag: tag).bytes, from: place.endpoint, to: World.endpoint(0), over: place.stream)
        world.run(.seconds(3))
        #expect(news(world, since: before).isEmpty)
        say(caller.request(.bye, sequence: 78, branch: "z9hG4bK-bye", toTag: tag), &world)
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test(
        "a TLS call ignores clear messages and never sends its keys in clear", arguments: methods, [nil, "tcp"])
    func tlsCallIgnoresClearMessagesAndNeverSendsItsKeysInClear(method: SIPMethod, transport: String?) throws {
        let stream = World.Stream(.tls, opener: .peer)
        var (world, tag) = try called(over: stream)
        let before = world.outputs(0).count
        world.caught = []
        let clear = transport.map { _ in World.Stream(.tcp, opener: .peer) }
        world.carry(forged(method, tag: tag).bytes, from: caller.endpoint, to: World.endpoint(0), over: clear)
        world.run(.seconds(3))
        #expect(news(world, since: before).isEmpty)
        #expect(world.caught.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains("inline:") })
        say(caller.request(.bye, sequence: 78, branch: "z9hG4bK-bye", toTag: tag), over: stream, &world)
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test(
        "a TLS call never offers in clear: it stays unchanged, or ends if its far end names another transport",
        arguments: ["<sip:mallory@203.0.113.9>", "<sip:mallory@203.0.113.9;transport=udp>"])
    func tlsCallNeverOffersInClearItStaysUnchanged(contact: String) throws {
        var (world, _) = try called(over: World.Stream(.tls, opener: .peer), contact: contact)
        let before = world.carried.count
        world.command(0, .hold(leg, true))
        world.run(.seconds(3))
        #expect(world.ends(0, leg) == (contact.contains("udp") ? [.insecurePath] : []))
        #expect(
            world.carried.dropFirst(before).allSatisfy {
                !String(decoding: $0.bytes, as: UTF8.self).contains("inline:")
            })
    }

    // MARK: Peers that move (RFC 3261 §12.2.1.1)

    /// A listed peer that has read the call's identifiers claims to be the far end at a new address.
    private func moved(_ method: SIPMethod, tag: String, body: String) -> SIPRequest {
        Stranger(Self.peer).request(method, sequence: 77, branch: "z9hG4bK-moved", toTag: tag, body: body)
    }

    @Test(
        "a listed peer has moved if a message from the new address has the call's key",
        arguments: [SIPMethod.invite, .update])
    func listedPeerHasMovedIfMessageFromNewAddressHasCallKey(method: SIPMethod) throws {
        var (world, tag) = try called()
        let body = Stranger.body.replacing("7 7 IN", with: "7 8 IN").replacing("203.0.113.9", with: Self.peer.host)
        world.carry(moved(method, tag: tag, body: body).bytes, from: Self.peer, to: World.endpoint(0))
        world.run(.milliseconds(100))
        #expect(world.renegotiated(0, leg).map(\.remote.host) == [Self.peer.host])
        let bye = Stranger(Self.peer).request(.bye, sequence: 78, branch: "z9hG4bK-bye", toTag: tag)
        world.carry(bye.bytes, from: Self.peer, to: World.endpoint(0))
        world.run(.milliseconds(100))
        #expect(world.ends(0, leg) == [.hungUpThere])
    }

    @Test("a move is rejected with another key, from another place than named, or to a place that may not call")
    func moveIsRejectedWithAnotherKeyFromAnotherPlaceThanNamed() throws {
        let honest = Stranger.body.replacing("7 7 IN", with: "7 8 IN").replacing("203.0.113.9", with: Self.peer.host)
        let otherKey = honest.replacing("inline:AAEC", with: "inline:BBEC")
        let unlisted = Flow.Endpoint("198.51.100.67", 5060)
        for (request, source) in [
            (moved(.invite, tag: "", body: otherKey), Self.peer), (moved(.invite, tag: "", body: ""), Self.peer),
            (moved(.invite, tag: "", body: honest), Flow.Endpoint(Self.peer.host, 40_000)),
            (Stranger(unlisted).request(.invite, sequence: 77, branch: "z9hG4bK-m", body: honest), unlisted),
        ] {
            var (world, tag) = try called()
            var request = request
            request.headers[.to] = "<sip:alice@192.0.2.1>;tag=\(tag)"
            world.carry(request.bytes, from: source, to: World.endpoint(0))
            world.run(.milliseconds(100))
            #expect(world.renegotiated(0, leg).isEmpty && world.ends(0, leg).isEmpty)
        }
    }
}
