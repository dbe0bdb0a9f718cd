import Base
import LineCore
import SIPCore
import Testing

@Suite("Transfers to the account's own domain")
struct HomeTests {
    private let peer = Stranger(World.serverEndpoint)

    /// The status of the response to a REFER in a call through the server, and the question to the line's user.
    private func refer(to target: String) throws -> (status: Int?, asked: [String]) {
        var world = World.registered()
        world.receive(peer.invite().bytes, from: peer)
        world.command(0, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let tag = try #require(
            responses(world).last { $0.status == .ok && isOfCall($0) }.flatMap { try? $0.headers.to.tag })
        world.receive(peer.request(.ack, branch: "z9hG4bK-ack", toTag: tag).bytes, from: peer)
        let refer = peer.request(
            .refer, sequence: 11, branch: "z9hG4bK-r", toTag: tag, extra: [(.referTo, "<\(target)>")])
        world.receive(refer.bytes, from: peer)
        let status = responses(world).last { $0.headers[.cSeq] == "11 REFER" }?.status.code
        return (status, world.referrals(0))
    }

    private func responses(_ world: World) -> [SIPResponse] {
        world.heard.compactMap { bytes in
            if case .response(let response)? = try? SIPMessage(bytes.span) { response } else { nil }
        }
    }

    private func isOfCall(_ response: SIPResponse) -> Bool { response.headers[.callID] == "stranger-call" }

    @Test("a REFER to the account's own domain asks the user")
    func referToAccountOwnDomainAsksUser() throws {
        for target in ["sip:200@server.example", "tel:200;phone-context=x", "sip:200@192.0.2.100"] {
            let (status, asked) = try refer(to: target)
            #expect(status == 202 && asked == ["200"], "\(target)")
        }
    }

    @Test("a REFER to another domain is refused")
    func referToAnotherDomainIsRefused() throws {
        let (status, asked) = try refer(to: "sip:009001234567@evil.example")
        #expect(status == 403 && asked.isEmpty)
    }

    /// RFC 5589 §7.1: an attended transfer names its target by Contact, which may be anywhere.
    @Test("an attended transfer may lead to another domain; the user sees it, and no list permits it")
    func attendedTransferMayLeadToAnotherDomainUserSeesIt() throws {
        let (status, asked) = try refer(to: "sip:200@10.0.0.7:5070?Replaces=abc%3Bto-tag%3D1%3Bfrom-tag%3D2")
        #expect(status == 202 && asked == ["sip:200@10.0.0.7:5070"])
    }
}
