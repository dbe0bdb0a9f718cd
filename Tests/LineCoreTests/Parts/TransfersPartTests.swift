import Base
import LineCore
import SIPCore
import Testing

@Suite("Transfers, as a unit")
struct TransfersPartTests {
    private static let leg = CallID(.phone, 1)
    private static let limit = Duration.seconds(32)
    private static let dialog = Dialog.ID(callID: "call", localTag: "us", remoteTag: "server")

    private func begun() -> LineCore.Transfers {
        var transfers = LineCore.Transfers()
        transfers.begin(in: Self.leg, sequence: 7)
        return transfers
    }

    private func notify(
        _ fragment: String, state: String = "active;expires=60", event: String = "refer;id=7",
        type: String = "message/sipfrag"
    ) throws -> SIPRequest {
        try PartBench.request(
            .notify, in: Self.dialog, sequence: 1,
            [(.event, event), (.subscriptionState, state), (.contentType, type)], body: fragment)
    }

    private func accepted(_ transfers: inout LineCore.Transfers, _ headers: [(SIPHeaderName, String)] = []) throws
        -> [LineCore.Transfers.Effect]
    {
        let refer = try PartBench.request(.refer, in: Self.dialog, sequence: 7)
        let response = PartBench.response(.accepted, to: refer, headers)
        return transfers.accepted(response, in: Self.leg, within: Self.limit, at: .zero)
    }

    @Test(
        "a transfer reports its acceptance, then its outcome",
        arguments: [("SIP/2.0 200 OK", true), ("SIP/2.0 486 Busy", false)])
    func transferReportsItsAcceptanceThenItsOutcome(_ fragment: String, succeeded: Bool) throws {
        var transfers = begun()
        #expect(try accepted(&transfers) == [.settled(Self.leg, accepted: true)])
        #expect(try accepted(&transfers).isEmpty, "it is reported once")
        let trying = try notify("SIP/2.0 100 Trying")
        #expect(try transfers.notified(trying, in: Self.leg, within: Self.limit, at: .zero).isEmpty)
        let last = try notify(fragment)
        #expect(
            try transfers.notified(last, in: Self.leg, within: Self.limit, at: .zero)
                == [.ended(Self.leg, succeeded: succeeded)])
        #expect(!transfers.isUnderWay(in: Self.leg) && transfers.deadline == nil)
    }

    @Test("a NOTIFY before the response settles the transfer")
    func notifyBeforeResponseSettlesTransfer() throws {
        var transfers = begun()
        let news = try notify("SIP/2.0 200 OK")
        #expect(
            try transfers.notified(news, in: Self.leg, within: Self.limit, at: .zero)
                == [.settled(Self.leg, accepted: true), .ended(Self.leg, succeeded: true)])
        #expect(transfers.failed(in: Self.leg).isEmpty)
    }

    @Test("without a subscription the accepted transfer is complete")
    func withoutSubscriptionAcceptedTransferIsComplete() throws {
        var transfers = begun()
        let effects = try accepted(&transfers, [(.referSub, "false")])
        #expect(effects == [.settled(Self.leg, accepted: true), .ended(Self.leg, succeeded: true)])
    }

    @Test("a far end that stops reporting has failed")
    func farEndThatStopsReportingHasFailed() throws {
        var transfers = begun()
        _ = try accepted(&transfers)
        let deadline = try #require(transfers.deadline)
        #expect(deadline == Instant.zero + Self.limit)
        #expect(transfers.deadlineReached(at: deadline - .nanoseconds(1)).isEmpty)
        #expect(transfers.deadlineReached(at: deadline) == [.ended(Self.leg, succeeded: false)])
    }

    @Test(
        "an unrelated NOTIFY is refused",
        arguments: [
            ("refer;id=8", "message/sipfrag", "SIP/2.0 200 OK", 481),
            ("refer;id=7", "text/plain", "SIP/2.0 200 OK", 415),
            ("refer;id=7", "message/sipfrag", "no status", 400),
        ])
    func unrelatedNOTIFYIsRefused(_ event: String, _ type: String, _ body: String, _ status: Int) throws {
        var transfers = begun()
        let request = try notify(body, event: event, type: type)
        #expect {
            try transfers.notified(request, in: Self.leg, within: Self.limit, at: .zero)
        } throws: { ($0 as? RequestRefusal)?.status.code == status }
        #expect(transfers.isUnderWay(in: Self.leg), "nothing has changed")
    }

    @Test("the CSeq of a challenged and repeated REFER counts, too")
    func cSeqOfChallengedAndRepeatedREFERCountsToo() throws {
        var transfers = begun()
        transfers.repeated(in: Self.leg, sequence: 8)
        let news = try notify("SIP/2.0 200 OK", event: "refer;id=8")
        #expect(try !transfers.notified(news, in: Self.leg, within: Self.limit, at: .zero).isEmpty)
    }
}
