import Base
import LineCore
import SIPCore
import Testing

/// Transfers with far ends that write the messages of RFC 3515 in their own way.
@Suite("Odd transfers")
struct OddTransferTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    struct News: Sendable {
        var body = "SIP/2.0 200 OK\r\n"
        var type: String? = "message/sipfrag"
        var event: String? = "refer"
        var state: String? = "terminated;reason=noresource"
    }

    @Test(
        "the end of a transfer is read as far ends write it",
        arguments: [
            News(body: "SIP/2.0 200 OK"), News(body: "SIP/2.0 200"), News(body: "SIP/2.0 200 OK\n"),
            News(body: "sip/2.0 200 ok\r\n"),
            News(body: "\r\nSIP/2.0 200 OK\r\n"),
            News(body: "SIP/2.0 200 OK\r\nContact: <sip:x@y>\r\nnonsense\r\n\r\n"),
            News(body: "SIP/2.0 200 OK\r\n\0"), News(type: nil), News(type: "message/sipfrag;version=2.0"),
            News(type: "Message/SIPFrag ; version=2.0;"),
            News(event: "Refer"), News(event: "refer;"), News(state: nil),
            News(state: "active;expires=60"),
            News(state: "terminated"), News(state: "Terminated;reason="), News(state: "terminated;reason=noresource;"),
            News(event: nil),
        ])
    func endOfTransferIsReadAsFarEndsWriteIt(_ news: News) throws {
        var (world, tag) = try World.called(by: stranger)
        world.command(0, .transfer(leg, to: "sip:carol@203.0.113.9"))
        world.run(.milliseconds(100))
        let refer = try #require(world.caughtRequests.last)
        #expect(refer.method == .refer)
        world.receive(refer.response(SIPStatus(202)).bytes, from: stranger)
        var notify = stranger.request(.notify, sequence: 11, branch: "z9hG4bK-n", toTag: tag, body: news.body)
        notify.headers[.contentType] = news.type
        notify.headers[.event] = news.event
        notify.headers[.subscriptionState] = news.state
        world.receive(notify.bytes, from: stranger)
        #expect(world.caughtStatuses.last == 200)
        #expect(world.outputs(0).contains(.event(.transferred(leg, succeeded: true))))
    }

    @Test(
        "the target of a transfer is read as far ends write it",
        arguments: [
            "sip:carol@203.0.113.9", "<sip:carol@203.0.113.9>", "Carol <sip:carol@203.0.113.9>",
            "\"Ca\"rol\" <sip:carol@203.0.113.9>",
            "<sip:carol@203.0.113.9;method=INVITE>", "<sip:carol@203.0.113.9;user=phone;>",
            "<sip:carol@203.0.113.9>;x=<y>",
            "< sip:carol@203.0.113.9 >", "<sip:carol@203.0.113.9?X-A=1>",
        ])
    func targetOfTransferIsReadAsFarEndsWriteIt(_ target: String) throws {
        var (world, tag) = try World.called(by: stranger)
        var refer = stranger.request(.refer, sequence: 11, branch: "z9hG4bK-r", toTag: tag)
        refer.headers[.referTo] = target
        refer.headers[.contact] = nil
        world.receive(refer.bytes, from: stranger)
        let targets = world.outputs(0).compactMap { if case .event(.referred(_, let to)) = $0 { to } else { nil } }
        #expect(targets.count == 1 && targets.first?.contains("carol") == true, "\(targets) \(world.caughtStatuses)")
    }

    @Test("a registrar may leave out what its 423 should name", arguments: [nil, "", "0", "1800", "soon"] as [String?])
    func registrarMayLeaveOutWhatIts423ShouldName(_ least: String?) {
        var refusals = 0
        var ground = Ground { request, _ in
            guard request.method == .register else { return Ground.accept(request) }
            let asked = ((try? request.headers.expires) ?? nil) ?? 0
            guard asked < 1_800 else { return Ground.accept(request) }
            refusals += 1
            var response = request.response(.intervalTooBrief, tag: "server")
            response.headers[.minExpires] = least
            return response
        }
        ground.run(.seconds(600))
        #expect(refusals < 20 && (least != "1800" || ground.registrations.last == .registered))
    }
}
