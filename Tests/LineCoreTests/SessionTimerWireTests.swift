import Base
import LineCore
import SDPCore
import SIPCore
import Testing

@Suite("Session timers on the wire")
struct SessionTimerWireTests {
    private let stranger = Stranger()

    /// A caller's session request, and our 2xx to it.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var supported: String? = "timer"
        var asked: String?
        var least: String?
        var status = 200
        var granted: String?
        var required: String?

        /// RFC 4028 §9, table 2, and the limits of §4 and §5.
        static let all = [
            Row(testDescription: "nobody asks", supported: nil),
            Row(testDescription: "we ask", granted: "1800;refresher=uas", required: "timer"),
            Row(
                testDescription: "open", asked: "1200", granted: "1200;refresher=uac", required: "timer"),
            Row(
                testDescription: "the caller", asked: "1200;refresher=uac", granted: "1200;refresher=uac",
                required: "timer"),
            Row(
                testDescription: "the called", asked: "1200;refresher=uas", granted: "1200;refresher=uas",
                required: "timer"),
            Row(testDescription: "a proxy asks", supported: nil, asked: "1200", granted: "1200;refresher=uas"),
            Row(testDescription: "longer", asked: "7200", granted: "1800;refresher=uac", required: "timer"),
            Row(
                testDescription: "longer, at least", asked: "7200", least: "3600", granted: "3600;refresher=uac",
                required: "timer"),
            Row(testDescription: "too short", asked: "89", status: 422),
            Row(testDescription: "too short, of a proxy", supported: nil, asked: "10"),
            Row(testDescription: "unreadable", asked: "soon", granted: "1800;refresher=uas", required: "timer"),
        ]
    }

    @Test("a caller gets the answer of the RFC's table", arguments: Row.all)
    func callerGetsAnswerOfRFCTable(_ row: Row) throws {
        var world = World()
        world.add(Calls.direct("alice"))
        var extra: [(SIPHeaderName, String)] = []
        if let value = row.supported { extra.append((.supported, value)) }
        if let value = row.asked { extra.append((.sessionExpires, value)) }
        if let value = row.least { extra.append((.minSE, value)) }
        world.receive(stranger.request(.invite, body: Stranger.body, extra: extra).bytes, from: stranger)
        world.command(0, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        let response = try #require(world.caughtResponses.last)
        #expect(response.status.code == row.status)
        #expect(response.headers[.sessionExpires] == row.granted)
        #expect(response.headers[.require] == row.required)
        #expect(response.headers[.minSE] == (row.status == 422 ? "90" : nil))
        #expect(world.offeredLegs(0).isEmpty == (row.status == 422))
    }

    // MARK: Calls to the stranger

    private let leg = CallID(.phone, 1)

    /// A call to the stranger, who grants a session.
    private func connected(
        _ granted: String?, allow: String = "INVITE, ACK, BYE, UPDATE"
    ) throws -> (world: World, invite: SIPRequest) {
        var world = World()
        world.add(Calls.direct("alice"))
        world.command(0, .dial(leg, target: "sip:x@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        let invite = try #require(world.caughtRequests.first)
        #expect(invite.headers[.sessionExpires] == "1800" && !invite.headers.contains(.minSE))
        var extra: [(SIPHeaderName, String)] = [(.allow, allow)]
        if let granted { extra.append((.sessionExpires, granted)) }
        world.receive(
            stranger.success(to: invite, tag: "one", body: Stranger.answer, extra: extra).bytes, from: stranger)
        return (world, invite)
    }

    @Test(
        "the refresher refreshes at the right time",
        arguments: [
            ("1200;refresher=uac", 600), ("1200", 600), ("1200;refresher=uas", nil), (nil, nil),
            ("20;refresher=uac", 45),
        ] as [(String?, Int?)])
    func refresherRefreshesAtRightTime(_ granted: String?, _ due: Int?) throws {
        var (world, _) = try connected(granted)
        world.run(.seconds(Double(due ?? 10_000) - 1))
        #expect(world.requests(.update).isEmpty && world.requests(.invite).count == 1)
        world.run(.seconds(2))
        #expect(world.requests(.update).isEmpty == (due == nil))
        // Only an unrefreshed session is over by now.
        #expect(world.ends(0, leg).isEmpty == (due != nil || granted == nil))
    }

    @Test("responses to UPDATE decide the next refresh", arguments: [200, 405, 501, 422, 481, 500, 408])
    func responsesToUPDATEDecideNextRefresh(status: Int) throws {
        var (world, _) = try connected("1200;refresher=uac")
        world.run(.seconds(601))
        let update = try #require(world.caughtRequests.last)
        #expect(update.method == .update && update.body.isEmpty && !update.headers.contains(.contentType))
        #expect(update.headers[.sessionExpires] == "1200;refresher=uac" && update.headers.contains(.contact))
        var response = update.response(SIPStatus(status))
        if status == 422 { response.headers[.minSE] = "2000" }
        if status == 200 { response.headers[.sessionExpires] = "1200;refresher=uac" }
        world.receive(response.bytes, from: stranger)
        let next = try #require(world.caughtRequests.last)
        switch status {
        case 405, 501:
            #expect(next.method == .invite && next.headers[.sessionExpires] == "1200;refresher=uac")
            #expect(!next.body.isEmpty)
        case 422:
            #expect(next.method == .update && next.headers[.sessionExpires] == "2000;refresher=uac")
            #expect(next.headers[.minSE] == "2000")
            #expect(try next.headers.cSeq.number == update.headers.cSeq.number + 1)
        case 481: #expect(world.ends(0, leg) == [.hungUpThere])
        default: #expect(next == update)
        }
        guard status != 481 else { return }
        #expect(world.ends(0, leg).isEmpty)
        world.run(.seconds(500))
        // 1200 - 32 s after the answer, or 500 s after the refresh, which was the far end's last message.
        let updates = world.requests(.update).filter { $0.request.headers[.cSeq] != update.headers[.cSeq] }
        #expect(updates.isEmpty == [200, 405, 501].contains(status))
        world.run(.seconds(80))
        #expect(world.ends(0, leg) == (status == 200 ? [] : [.unreachable]))
    }

    @Test("a far end that asks for longer sessions each time is abandoned")
    func farEndThatAsksForLongerSessionsEachTimeIsAbandoned() throws {
        var world = World()
        // Without keys the INVITE stays short enough for a datagram, whatever is added.
        var alice = Calls.direct("alice")
        alice.media.protection = .off
        world.add(alice)
        world.command(0, .dial(leg, target: "sip:x@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        for least in 0..<20 {
            // The ACK of the previous INVITE may follow, which this one overtook.
            let invite = try #require(world.caughtRequests.last { $0.method == .invite })
            var response = invite.response(.sessionIntervalTooSmall, tag: "t")
            response.headers[.minSE] = "\(2_000 + least)"
            world.receive(response.bytes, from: stranger)
        }
        #expect(world.requests(.invite).count == 7)
        #expect(world.ends(0, leg) == [.rejected(422)])
    }

    @Test(
        "a 422 without a higher minimum, or above one day, is a refusal",
        arguments: ["1800", "86401", "x"])
    func senseless(least: String) throws {
        var world = World()
        world.add(Calls.direct("alice"))
        world.command(0, .dial(leg, target: "sip:x@203.0.113.9", account: .direct, MediaEndpoint(port: 4_000)))
        world.run(.milliseconds(100))
        var response = try #require(world.caughtRequests.last).response(.sessionIntervalTooSmall, tag: "t")
        response.headers[.minSE] = least
        world.receive(response.bytes, from: stranger)
        #expect(world.ends(0, leg) == [.rejected(422)])
    }

    @Test("a refreshing far end is answered in its role; a silent one ends the call")
    func refreshingFarEndIsAnsweredInItsRoleSilentOneEndsCall() throws {
        var (world, invite) = try connected("1200;refresher=uas")
        for round in 1...20 {
            world.run(.seconds(600))
            let method: SIPMethod = round.isMultiple(of: 2) ? .update : .invite
            let request = stranger.request(
                method, in: invite, tag: "one", sequence: UInt32(round), body: method == .update ? "" : Stranger.body,
                extra: [(.supported, "timer"), (.sessionExpires, "1200;refresher=uac")])
            world.receive(request.bytes, from: stranger)
            #expect(world.caughtResponses.last?.headers[.sessionExpires] == "1200;refresher=uac")
            guard method == .invite else { continue }
            world.receive(
                stranger.request(.ack, in: invite, tag: "one", sequence: UInt32(round)).bytes, from: stranger)
        }
        #expect(world.ends(0, leg).isEmpty)
        world.run(.seconds(1_167))
        #expect(world.caughtRequests.last?.method != .bye)
        world.run(.seconds(2))
        #expect(world.caughtRequests.last?.method == .bye)
    }

    @Test("a refresh with too short a session is refused, and the old one stays")
    func refreshWithTooShortSessionIsRefusedAndOldOneStays() throws {
        var (world, invite) = try connected("1200;refresher=uas")
        let extra: [(SIPHeaderName, String)] = [(.supported, "timer"), (.sessionExpires, "60")]
        world.receive(
            stranger.request(.update, in: invite, tag: "one", sequence: 1, extra: extra).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 422)
        world.run(.seconds(1_100))
        #expect(world.ends(0, leg).isEmpty)
        world.run(.seconds(100))
        #expect(world.ends(0, leg) == [.unreachable])
    }
}
