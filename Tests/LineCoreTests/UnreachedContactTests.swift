import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Far ends with unreachable contacts")
struct UnreachedContactTests {
    private static let first = Ground.flow(.udp, 100)

    /// A call through the account's server whose far end names an unreachable address.
    private func callToNowhere(_ contact: String) throws -> (ground: Ground, invite: SIPRequest) {
        let nowhere = Ground.flow(.udp, 66)
        var ground = Ground()
        ground.dead = [nowhere]
        ground.answer = { request, _ in request.method == .register ? Ground.accept(request) : nil }
        ground.tell(.command(.reconnect(.direct)))
        ground.invite("123")
        let invite = try #require(ground.sent(.invite).last?.request)
        var success = Stranger(Self.first.remote).success(to: invite, tag: "b", body: Stranger.answer)
        success.headers[.contact] = contact
        ground.flows = [nowhere]
        ground.tell(.received(success.bytes, Self.first))
        return (ground, invite)
    }

    private static let unreached = "<sip:b@192.0.2.66>"

    @Test("an ACK that is not delivered to the far end goes through the server, too")
    func ackThatIsNotDeliveredToFarEndGoesThroughServerToo() throws {
        var (ground, invite) = try callToNowhere(Self.unreached)
        #expect(ground.sent(.ack).map(\.flow.remote.host) == ["192.0.2.66"])
        var success = Stranger(Self.first.remote).success(to: invite, tag: "b", body: Stranger.answer)
        success.headers[.contact] = Self.unreached
        ground.tell(.received(success.bytes, Self.first))
        #expect(ground.sent(.ack).map(\.flow.remote.host) == ["192.0.2.66", "192.0.2.66", "192.0.2.100"])
        #expect(ground.sent(.ack).allSatisfy { $0.request.uri.text == "sip:b@192.0.2.66" })
    }

    @Test("a hold goes through the server if the far end's address is silent, and so do later requests")
    func holdGoesThroughServerIfFarEndAddressIsSilent() throws {
        var (ground, _) = try callToNowhere(Self.unreached)
        ground.answer = { request, _ in
            var response = request.response(.ok, tag: "b")
            response.headers[.contact] = Self.unreached
            response.headers.set(.contentType, MediaType.sdp)
            response.body = Array(Stranger.answer.utf8)
            return response
        }
        ground.tell(.command(.hold(CallID(.phone, 1), true)))
        ground.run(.seconds(33))
        #expect(ground.sent(.invite).suffix(1).map(\.flow) == [Self.first])
        #expect(ground.outputs.contains { if case .event(.holdSettled) = $0 { true } else { false } })
        ground.flows = [Self.first]
        ground.tell(.command(.end(CallID(.phone, 1))))
        #expect(ground.sent(.bye).map(\.flow) == [Self.first] && ground.ends == [.hungUpHere])
    }

    @Test("a far end with an unusable Contact is reached through the server at once, by the dialled address")
    func farEndWithUnusableContactIsReachedThroughServerAtOnce() throws {
        var (ground, invite) = try callToNowhere("<sip:b@fe80::1:5060>")
        ground.flows = [Self.first]
        ground.tell(.command(.end(CallID(.phone, 1))))
        for method in [SIPMethod.ack, .bye] {
            #expect(ground.sent(method).map(\.request.uri) == [invite.uri])
        }
        #expect(ground.located.last == NextHop(host: "server.example"))
        #expect(ground.sent(.bye).map(\.flow) == [Self.first])
    }
}
