import Base
import SIPCore
import Testing

@Suite struct ServerTransactionTests {
    private let ringing = Array("ringing".utf8)
    private let ok = Array("ok".utf8)
    private let busy = Array("busy".utf8)

    private func invite(_ transport: Flow.Transport) throws -> TransactionRun<InviteServerTransaction> {
        let request = try SIPRequest.sample(.invite)
        return TransactionRun(
            InviteServerTransaction(
                request, try ServerTransactionID(request), over: .test(transport), timers: SIPTimers(), at: .zero))
    }

    private func options(_ transport: Flow.Transport) throws -> TransactionRun<NonInviteServerTransaction> {
        let id = try ServerTransactionID(.sample(.options))
        return TransactionRun(NonInviteServerTransaction(id, over: .test(transport), timers: SIPTimers()))
    }

    @Test func silentUserGetsAutomaticTrying() throws {
        var run = try invite(.udp)
        run.post(.request)
        run.run(for: .seconds(1))
        run.post(.request)
        let trying = try SIPRequest.sample(.invite).response(.trying).bytes
        #expect(run.times(of: run.sending(trying)) == [200, 1_000])
        #expect(run.log.count == 2)
    }

    @Test func promptUserSendsNoTrying() throws {
        var run = try invite(.udp)
        run.post(.provisional(ringing))
        run.run(for: .seconds(1))
        run.post(.request)
        #expect(run.times(of: run.sending(ringing)) == [0, 1_000])
        #expect(run.log.count == 2)
    }

    @Test func failuresAreRepeatedUntilTimeout() throws {
        var run = try invite(.udp)
        run.post(.failure(busy))
        run.run(for: .seconds(60))
        let times: [Int64] = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
        #expect(run.times(of: run.sending(busy)) == times)
        #expect(run.times(of: run.timedOut) == [32_000])
        #expect(run.machine.state == .terminated)
    }

    @Test func failuresOverStreamAreSentOnce() throws {
        var run = try invite(.tls)
        run.post(.failure(busy))
        run.run(for: .seconds(60))
        #expect(run.times(of: run.sending(busy)) == [0])
        #expect(run.times(of: run.timedOut) == [32_000])
    }

    @Test(arguments: [(Flow.Transport.udp, Int64(5_000)), (.tcp, 0)])
    func ackEndsRepetition(_ transport: Flow.Transport, lingers: Int64) throws {
        var run = try invite(transport)
        run.post(.failure(busy))
        run.post(.request)
        run.post(.ack(try .sample(.ack), .test(transport)))
        #expect(run.machine.deadline == (lingers == 0 ? nil : .zero + .milliseconds(lingers)))
        run.run(for: .milliseconds(lingers))
        #expect(run.times(of: run.sending(busy)) == [0, 0])
        #expect(run.machine.state == .terminated)
    }

    @Test(arguments: [Flow.Transport.udp, .tcp])
    func successesPassUntilTimerL(_ transport: Flow.Transport) throws {
        var run = try invite(transport)
        run.post(.success(ok))
        run.run(for: .seconds(1))
        run.post(.request)
        run.post(.success(ok))
        run.post(.failure(busy))
        let ack = try SIPRequest.sample(.ack)
        run.post(.ack(ack, .test(transport)))
        #expect(run.times(of: run.sending(ok)) == [0, 1_000])
        #expect(run.times(of: .acknowledgement(ack, .test(transport))) == [1_000])
        #expect(run.log.count == 3)
        run.run(for: .seconds(31))
        #expect(run.machine.state == .terminated)
    }

    @Test func otherRequestsAreRememberedForTimerJ() throws {
        var run = try options(.udp)
        run.post(.request)
        run.post(.provisional(ringing))
        run.post(.request)
        run.post(.success(ok))
        run.run(for: .milliseconds(31_999))
        run.post(.request)
        run.post(.failure(busy))
        #expect(run.times(of: run.sending(ringing)) == [0, 0])
        #expect(run.times(of: run.sending(ok)) == [0, 31_999])
        #expect(run.log.count == 4)
        run.run(for: .milliseconds(1))
        #expect(run.machine.state == .terminated)
    }

    @Test func otherRequestsOverStreamAreForgottenAtOnce() throws {
        var run = try options(.tcp)
        run.post(.success(ok))
        #expect(run.machine.state == .terminated)
    }

    @Test(arguments: [Flow.Transport.udp, .tcp])
    func noOrderOfEventsBreaksInvite(_ transport: Flow.Transport) throws {
        let ack = try SIPRequest.sample(.ack)
        let events: [ServerTransaction.Event] = [
            .request, .ack(ack, .test(transport)), .provisional(ringing), .success(ok), .failure(busy),
            .transportFailed,
        ]
        let violations = try invite(transport).violations(events, length: 6) { run in
            let succeeded = !run.times(of: run.sending(ok)).isEmpty
            return (!succeeded || run.times(of: run.sending(busy)).isEmpty)
                && (succeeded || run.times(of: .acknowledgement(ack, .test(transport))).isEmpty)
                && run.times(of: run.timedOut).count <= 1 && run.isQuietAtItsEnd
        }
        #expect(violations.isEmpty)
    }

    @Test(arguments: [Flow.Transport.udp, .tcp])
    func noOrderOfEventsBreaksOtherRequests(_ transport: Flow.Transport) throws {
        let events: [ServerTransaction.Event] = [
            .request, .ack(try .sample(.ack), .test(transport)), .provisional(ringing), .success(ok), .failure(busy),
            .transportFailed,
        ]
        let violations = try options(transport).violations(events, length: 6) { run in
            (run.times(of: run.sending(ok)).isEmpty || run.times(of: run.sending(busy)).isEmpty)
                && run.times(of: run.transportFailed).count <= 1 && run.isQuietAtItsEnd
        }
        #expect(violations.isEmpty)
    }

    @Test(arguments: [
        (
            ResponseRetransmission.Duty.success,
            [500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500, 32_000] as [Int64]
        ),
        (.provisional, [500, 1_500, 3_500, 7_500, 15_500, 31_500, 32_000]),
    ])
    func userRepeatsSuccessUntilConfirmed(_ duty: ResponseRetransmission.Duty, expected: [Int64]) {
        var (repeated, now) = (ResponseRetransmission(duty, timers: SIPTimers(), at: .zero), Instant.zero)
        var times: [Int64] = []
        var last = ResponseRetransmission.Outcome.nothing
        while let due = repeated.deadline {
            now = due
            last = repeated.deadlineReached(at: now)
            times.append(now.nanoseconds / 1_000_000)
        }
        #expect(times == expected)
        #expect(last == .unacknowledged)
        var acknowledged = ResponseRetransmission(duty, timers: SIPTimers(), at: .zero)
        acknowledged.acknowledge()
        #expect(acknowledged.deadline == nil)
        let outcome = acknowledged.deadlineReached(at: .zero + .seconds(1))
        #expect(outcome == .nothing)
    }
}
