import Base
import LineCore
import SDPCore
import SIPCore
import Testing

/// Transfers from the view of a peer whose messages the test writes.
@Suite("Transfer on the wire")
struct TransferWireTests {
    private let stranger = Stranger()
    private let leg = CallID(.line(.direct), 1)

    /// The line's tag in its dialog with the stranger: the same in every world, as every world has the same seed.
    private let tag: String

    init() {
        let world = Self.answered(by: stranger)
        tag = world.tagForStranger ?? ""
    }

    private static func answered(by stranger: Stranger) -> World {
        var world = World()
        world.add(Calls.direct("alice"))
        world.run(.seconds(1))
        world.receive(stranger.invite().bytes, from: stranger)
        world.command(0, .answer(CallID(.line(.direct), 1), MediaEndpoint(port: 4_000), awaitingACK: false))
        world.run(.milliseconds(100))
        return world
    }

    /// A call of the stranger to the first line, answered and acknowledged.
    private func connected() -> World {
        var world = Self.answered(by: stranger)
        world.receive(stranger.request(.ack, branch: "z9hG4bK-a", toTag: tag).bytes, from: stranger)
        world.caught = []
        return world
    }

    private func refer(
        to target: String, sequence: UInt32 = 20, extra: [(SIPHeaderName, String)] = []
    ) -> SIPRequest {
        stranger.request(
            .refer, sequence: sequence, branch: "z9hG4bK-r\(sequence)", toTag: tag,
            extra: [(.referTo, target)] + extra)
    }

    private func notify(
        _ fragment: String, state: String = "active;expires=60", event: String = "refer",
        sequence: UInt32 = 30, type: String = "message/sipfrag;version=2.0"
    ) -> SIPRequest {
        stranger.request(
            .notify, sequence: sequence, branch: "z9hG4bK-n\(sequence)", toTag: tag, body: fragment,
            extra: [(.event, event), (.subscriptionState, state), (.contentType, type)])
    }

    /// The line's last request.
    private func last(_ method: SIPMethod, _ world: World) -> SIPRequest? {
        world.caughtRequests.last { $0.method == method }
    }

    // MARK: The far end transfers us

    @Test("a REFER is accepted, its progress is sent, and the new call names the referrer")
    func referIsAcceptedItsProgressIsSentAndNewCallNamesReferrer() throws {
        var world = connected()
        let referTo = "<sip:carol@198.51.100.3?Replaces=abc%3Bto-tag%3D1%3Bfrom-tag%3D2&X-Evil=yes>"
        world.receive(
            refer(to: referTo, extra: [(.referredBy, "<sip:mallory@203.0.113.9>")]).bytes, from: stranger)
        #expect(world.caughtStatuses == [202])
        #expect(world.referrals(0) == ["carol"])
        let first = try #require(last(.notify, world))
        #expect(first.body == Array("SIP/2.0 100 Trying\r\n".utf8))
        #expect(first.headers[.event] == "refer;id=20")
        #expect(try first.headers.subscriptionState?.phase == .active)
        world.receive(first.response(.ok).bytes, from: stranger)
        world.command(0, .follow(CallID(.phone, 1), after: leg, account: .direct, MediaEndpoint(port: 4_002)))
        world.run(.milliseconds(100))
        let invite = try #require(last(.invite, world))
        #expect(invite.uri.text == "sip:carol@198.51.100.3")
        #expect(invite.headers[.replaces] == "abc;to-tag=1;from-tag=2")
        #expect(invite.headers[.referredBy] == "<sip:mallory@203.0.113.9>")
        #expect(!invite.headers.contains(SIPHeaderName("X-Evil")))
        // One NOTIFY at a time: news during it goes into the next one.
        let target = Stranger(.init("198.51.100.3", 5060))
        world.receive(invite.response(.ringing, tag: "c").bytes, from: target)
        world.receive(invite.response(.busyHere, tag: "c").bytes, from: target)
        let ringing = try #require(last(.notify, world))
        #expect(ringing.body == Array("SIP/2.0 180 Ringing\r\n".utf8))
        world.receive(ringing.response(.ok).bytes, from: stranger)
        let busy = try #require(last(.notify, world))
        #expect(busy.body == Array("SIP/2.0 486 Busy Here\r\n".utf8))
        #expect(try busy.headers.subscriptionState?.phase == .terminated)
    }

    @Test(
        "an unusable REFER is refused",
        arguments: [
            ("<sip:carol@198.51.100.3>, <sip:dave@198.51.100.3>", 400), ("<sip:carol@198.51.100.3", 400), ("", 400),
            ("<http://198.51.100.3/>", 416), ("<sip:carol@198.51.100.3;method=BYE>", 416), ("<tel:+15550100>", 416),
            ("<sip:carol@198.51.100.3?Replaces=abc%3Bto-tag%3D1>", 400),
        ])
    func unusableREFERIsRefused(target: String, status: Int) {
        var world = connected()
        world.receive(refer(to: target).bytes, from: stranger)
        #expect(world.caughtStatuses == [status])
        #expect(world.referrals(0).isEmpty)
    }

    @Test("only the far end of a call may send REFER, one at a time")
    func onlyFarEndOfCallMaySendREFEROneAtTime() {
        var world = connected()
        let target = "<sip:carol@198.51.100.3>"
        let outside = stranger.request(.refer, branch: "z9hG4bK-o", extra: [(.referTo, target)])
        world.receive(outside.bytes, from: stranger)
        let foreign = stranger.request(.refer, branch: "z9hG4bK-f", toTag: "guessed", extra: [(.referTo, target)])
        world.receive(foreign.bytes, from: stranger)
        #expect(world.caughtStatuses == [403, 481])
        world.receive(refer(to: target).bytes, from: stranger)
        world.receive(refer(to: target, sequence: 21).bytes, from: stranger)
        #expect(world.caughtStatuses.suffix(2) == [202, 491])
        #expect(world.referrals(0).count == 1)
    }

    @Test("no NOTIFY is sent if the referrer does not want it (RFC 4488)")
    func noNOTIFYIsSentIfReferrerDoesNotWantIt() throws {
        var world = connected()
        let request = refer(
            to: "<sip:carol@198.51.100.3>", extra: [(.referSub, "false"), (.require, "norefersub")])
        world.receive(request.bytes, from: stranger)
        let accepted = try #require(world.caughtMessages.last)
        #expect(try accepted.headers.referSub?.isWanted == false)
        world.command(0, .declineReferral(leg))
        world.run(.seconds(40))
        #expect(last(.notify, world) == nil)
    }

    @Test("an unsubscribed referrer gets no more NOTIFY")
    func unsubscribedReferrerGetsNoMoreNOTIFY() throws {
        var world = connected()
        world.receive(refer(to: "<sip:carol@198.51.100.3>").bytes, from: stranger)
        let first = try #require(last(.notify, world))
        world.receive(first.response(.callDoesNotExist).bytes, from: stranger)
        world.command(0, .declineReferral(leg))
        world.run(.seconds(1))
        #expect(world.caughtRequests.count { $0.method == .notify } == 1)
        world.receive(refer(to: "<sip:carol@198.51.100.3>", sequence: 21).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 202)
    }

    // MARK: We transfer the far end

    /// The line has transferred the stranger.
    private func asking() throws -> (World, SIPRequest) {
        var world = connected()
        world.command(0, .transfer(leg, to: "sip:carol@198.51.100.3"))
        world.run(.milliseconds(100))
        let refer = try #require(last(.refer, world))
        #expect(refer.headers[.referTo] == "<sip:carol@198.51.100.3>")
        #expect(refer.headers.contains(.referredBy) && refer.headers.contains(.contact))
        return (world, refer)
    }

    @Test(
        "the far end's status ends a transfer",
        arguments: [
            ("SIP/2.0 200 OK\r\n", "terminated;reason=noresource", true),
            ("SIP/2.0 200 OK\r\nTo: <sip:x@y>\r\n", "active;expires=60", true),
            ("SIP/2.0 603 Decline", "terminated;reason=noresource", false),
            ("SIP/2.0 180 Ringing\r\n", "terminated;reason=timeout", false), ("", "terminated", false),
        ])
    func farEndStatusEndsTransfer(fragment: String, state: String, succeeded: Bool) throws {
        var (world, refer) = try asking()
        world.receive(refer.response(.accepted).bytes, from: stranger)
        world.receive(notify("SIP/2.0 100 Trying\r\n").bytes, from: stranger)
        #expect(world.transfers(0) == [.event(.transferSettled(leg, accepted: true))])
        world.receive(notify(fragment, state: state, sequence: 31).bytes, from: stranger)
        #expect(world.caughtStatuses.suffix(2) == [200, 200])
        #expect(world.transfers(0).last == .event(.transferred(leg, succeeded: succeeded)))
        world.receive(notify("SIP/2.0 200 OK\r\n", sequence: 32).bytes, from: stranger)
        #expect(world.caughtStatuses.last == 481, "it was settled already")
        #expect(world.transfers(0).count == 2)
    }

    @Test("a NOTIFY before the response counts (RFC 6665)")
    func notifyBeforeResponseCounts() throws {
        var (world, refer) = try asking()
        world.receive(notify("SIP/2.0 100 Trying\r\n").bytes, from: stranger)
        #expect(world.transfers(0) == [.event(.transferSettled(leg, accepted: true))])
        world.receive(refer.response(.accepted).bytes, from: stranger)
        #expect(world.transfers(0).count == 1)
    }

    @Test("refusals, silence and missing reports are handled")
    func refusalsSilenceAndMissingReportsAreHandled() throws {
        var (world, refer) = try asking()
        world.receive(refer.response(.decline).bytes, from: stranger)
        #expect(world.transfers(0) == [.event(.transferSettled(leg, accepted: false))])
        (world, refer) = try asking()
        world.run(.seconds(40))
        #expect(world.transfers(0) == [.event(.transferSettled(leg, accepted: false))])
        #expect(world.ends(0, leg).isEmpty, "the call stays")
        (world, refer) = try asking()
        var response = refer.response(.ok)
        response.headers.set(.referSub, ReferSub(false))
        world.receive(response.bytes, from: stranger)
        #expect(
            world.transfers(0) == [
                .event(.transferSettled(leg, accepted: true)), .event(.transferred(leg, succeeded: true)),
            ])
        (world, refer) = try asking()
        world.receive(refer.response(.accepted).bytes, from: stranger)
        world.run(.seconds(33))
        #expect(
            world.transfers(0) == [
                .event(.transferSettled(leg, accepted: true)), .event(.transferred(leg, succeeded: false)),
            ])
    }

    @Test(
        "an invalid NOTIFY changes nothing",
        arguments: [
            ("hello", "active", "refer", "message/sipfrag", 400),
            ("SIP/2.0 200 OK", "active", "refer", "text/plain", 415),
            ("SIP/2.0 200 OK", "active", "refer;id=99", "message/sipfrag", 481),
            ("SIP/2.0 999 Yes", "active", "refer", "message/sipfrag", 400),
            ("SIP/2.0 200 OK", ";", "refer", "message/sipfrag", 400),
        ])
    func invalidNOTIFYChangesNothing(fragment: String, state: String, event: String, type: String, status: Int) throws {
        var (world, refer) = try asking()
        world.receive(refer.response(.accepted).bytes, from: stranger)
        world.receive(notify(fragment, state: state, event: event, type: type).bytes, from: stranger)
        #expect(world.caughtStatuses.last == status)
        #expect(world.transfers(0) == [.event(.transferSettled(leg, accepted: true))])
    }
}
