import Base
import SIPCore
import Testing

@Suite struct ClientTransactionTests {
    private let timers = SIPTimers()

    private func invite(_ transport: Flow.Transport) throws -> TransactionRun<InviteClientTransaction> {
        TransactionRun(
            InviteClientTransaction(
                try .sample(.invite), ClientTransactionID(branch: "z9hG4bKone", method: .invite),
                over: .test(transport), timers: timers, at: .zero))
    }

    private func options(_ transport: Flow.Transport) throws -> TransactionRun<NonInviteClientTransaction> {
        TransactionRun(
            NonInviteClientTransaction(
                try .sample(.options), ClientTransactionID(branch: "z9hG4bKone", method: .options),
                over: .test(transport), timers: timers, at: .zero))
    }

    private func answer(_ status: SIPStatus, _ method: SIPMethod = .invite) throws -> SIPResponse {
        try SIPRequest.sample(method).response(status, tag: "b2")
    }

    @Test func inviteDoublesItsPausesAndTimesOut() throws {
        var run = try invite(.udp)
        run.run(for: .seconds(60))
        #expect(run.times(of: run.sending(run.machine.bytes)) == [500, 1_500, 3_500, 7_500, 15_500, 31_500])
        #expect(run.times(of: run.timedOut) == [32_000])
        #expect(run.machine.state == .terminated)
    }

    @Test func inviteOverStreamIsSentOnce() throws {
        var run = try invite(.tcp)
        run.run(for: .seconds(60))
        #expect(run.log.map(\.at) == [32_000])
        #expect(run.log.map(\.effect) == [run.timedOut])
    }

    @Test func hurriedInviteIsSentAtOnceAndRestartsItsPauses() throws {
        var run = try invite(.udp)
        run.run(for: .seconds(10))
        run.post(.hurry)
        run.run(for: .seconds(60))
        #expect(
            run.times(of: run.sending(run.machine.bytes)) == [
                500, 1_500, 3_500, 7_500, 10_000, 10_500, 11_500, 13_500, 17_500, 25_500,
            ])
        #expect(run.times(of: run.timedOut) == [32_000], "it has no more time than before")
    }

    @Test func otherRequestsAreNotHurried() throws {
        var run = try invite(.tcp)
        run.post(.hurry)
        #expect(run.log.isEmpty, "a stream loses nothing")
        var answered = try invite(.udp)
        answered.post(.provisional(try answer(.ringing)))
        answered.post(.hurry)
        #expect(answered.times(of: answered.sending(answered.machine.bytes)).isEmpty)
    }

    @Test(arguments: [false, true]) func supersededInviteWaitsForSuccessesOnly(_ isProceeding: Bool) throws {
        var run = try invite(.udp)
        let (ok, busy) = (try answer(.ok), try answer(.busyHere))
        if isProceeding { run.post(.provisional(try answer(.ringing))) }
        run.post(.superseded)
        run.run(for: .seconds(31))
        run.post(.failure(busy))
        run.post(.success(ok))
        #expect(run.times(of: run.sending(run.machine.bytes)).isEmpty && run.times(of: run.delivering(busy)).isEmpty)
        #expect(run.times(of: run.delivering(ok)) == [31_000])
        run.run(for: .seconds(1))
        #expect(run.machine.state == .terminated && run.times(of: run.timedOut).isEmpty)
    }

    @Test func provisionalResponsesStopInvite() throws {
        var run = try invite(.udp)
        run.run(for: .milliseconds(600))
        run.post(.provisional(try answer(.ringing)))
        run.run(for: .seconds(300))
        #expect(run.log.count == 2)
        #expect(run.machine.deadline == nil)
    }

    @Test(arguments: [(Flow.Transport.udp, true), (.tcp, false)])
    func failuresAreAcknowledged(_ transport: Flow.Transport, remembered: Bool) throws {
        var run = try invite(transport)
        let busy = try answer(.busyHere)
        let ack = try SIPRequest.sample(.invite).acknowledgement(of: busy)
        run.post(.failure(busy))
        run.run(for: .milliseconds(31_999))
        run.post(.failure(busy))
        #expect(run.times(of: run.sending(ack.bytes)) == (remembered ? [0, 31_999] : [0]))
        #expect(run.times(of: run.delivering(busy)) == [0])
        run.run(for: .milliseconds(1))
        #expect(run.machine.state == .terminated)
        #expect(try ack.headers[.via] == run.machine.requestVia)
        #expect(try ack.headers.to.tag == "b2")
        #expect(try ack.headers.cSeq == CSeq(7, .ack))
    }

    @Test(arguments: [Flow.Transport.udp, .tcp])
    func repeatedSuccessesReachUser(_ transport: Flow.Transport) throws {
        var run = try invite(transport)
        let ok = try answer(.ok)
        run.post(.success(ok))
        run.run(for: .milliseconds(31_999))
        run.post(.success(ok))
        run.post(.failure(try answer(.busyHere)))
        #expect(run.times(of: run.delivering(ok)) == [0, 31_999])
        #expect(run.log.count == 2)
        run.run(for: .milliseconds(1))
        #expect(run.machine.state == .terminated)
    }

    @Test func cancelWaitsForProvisionalResponse() throws {
        var run = try invite(.udp)
        let cancel = try SIPRequest.sample(.invite).cancellation(because: Reason(cause: 200))
        run.post(.cancel(cancel))
        run.run(for: .milliseconds(600))
        #expect(run.log.map(\.effect) == [run.sending(run.machine.bytes)])
        run.post(.provisional(try answer(.trying)))
        run.post(.cancel(cancel))
        #expect(run.times(of: run.sending(cancel.bytes)) == [600])
        run.run(for: .seconds(40))
        #expect(run.times(of: run.timedOut) == [32_600])
    }

    @Test func lostTransportEndsTransaction() throws {
        var run = try invite(.tcp)
        run.post(.transportFailed)
        #expect(run.log.map(\.effect) == [run.transportFailed])
        #expect(run.machine.state == .terminated)
    }

    @Test func otherRequestsDoubleUpToT2() throws {
        var run = try options(.udp)
        run.run(for: .seconds(60))
        let times: [Int64] = [500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
        #expect(run.times(of: run.sending(run.machine.bytes)) == times)
        #expect(run.times(of: run.timedOut) == [32_000])
    }

    @Test func provisionalResponsesSlowOtherRequests() throws {
        var run = try options(.udp)
        run.run(for: .milliseconds(500))
        run.post(.provisional(try answer(.trying, .options)))
        run.run(for: .seconds(60))
        let times: [Int64] = [500, 1_500, 5_500, 9_500, 13_500, 17_500, 21_500, 25_500, 29_500]
        #expect(run.times(of: run.sending(run.machine.bytes)) == times)
        #expect(run.times(of: run.timedOut) == [32_000])
    }

    @Test(arguments: [(Flow.Transport.udp, Int64(5_000)), (.tcp, 0)])
    func otherRequestsEndWithFinalResponse(_ transport: Flow.Transport, lingers: Int64) throws {
        var run = try options(transport)
        let ok = try answer(.ok, .options)
        run.post(.success(ok))
        run.post(.success(ok))
        #expect(run.log.map(\.effect) == [run.delivering(ok)])
        #expect(run.machine.deadline == (lingers == 0 ? nil : .zero + .milliseconds(lingers)))
        run.run(for: .milliseconds(lingers))
        #expect(run.machine.state == .terminated)
    }

    @Test(arguments: [Flow.Transport.udp, .tcp])
    func noOrderOfEventsBreaksInvite(_ transport: Flow.Transport) throws {
        let (ringing, ok, busy) = (try answer(.ringing), try answer(.ok), try answer(.busyHere))
        let cancel = try SIPRequest.sample(.invite).cancellation()
        let events: [ClientTransaction.Event] = [
            .provisional(ringing), .success(ok), .failure(busy), .cancel(cancel), .transportFailed, .hurry, .superseded,
        ]
        let violations = try invite(transport).violations(events, length: 6) { run in
            let failures = run.times(of: run.delivering(busy)).count + run.times(of: run.timedOut).count
            let successes = run.times(of: run.delivering(ok)).isEmpty ? 0 : 1
            return failures + successes <= 1 && run.times(of: run.sending(cancel.bytes)).count <= 1
                && run.isQuietAtItsEnd
        }
        #expect(violations.isEmpty)
    }

    @Test(arguments: [Flow.Transport.udp, .tcp])
    func noOrderOfEventsBreaksOtherRequests(_ transport: Flow.Transport) throws {
        let (trying, ok) = (try answer(.trying, .options), try answer(.ok, .options))
        let cancel = try SIPRequest.sample(.options).cancellation()
        let events: [ClientTransaction.Event] = [
            .provisional(trying), .success(ok), .transportFailed, .cancel(cancel), .hurry, .superseded,
        ]
        let violations = try options(transport).violations(events, length: 6) { run in
            let ends = [run.delivering(ok), run.timedOut, run.transportFailed].map { run.times(of: $0).count }
            return ends.reduce(0, +) <= 1 && run.isQuietAtItsEnd
        }
        #expect(violations.isEmpty)
    }
}

extension InviteClientTransaction {
    /// The Via as sent.
    fileprivate var requestVia: String? {
        get throws { try parse(bytes).headers[.via] }
    }
}
