import Base
import NIOCore
import NIOPosix
import Platform
import Synchronization
import Testing
import Turns

@Suite struct TurnBudgetTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private static func work(_ time: Duration) {
        let end = MonotonicClock.now() + time
        while MonotonicClock.now() < end {}
    }

    /// Work that adds work, like a request after a request: the loop still polls its sockets.
    @Test func endlessWorkLetsLoopPollSockets() async throws {
        let counted = Shared(Mutex(0))
        let probe = try await Probe(on: loop) { counted.value.withLock { $0 } }
        let loop = loop
        let (budget, before) = try await loop.submit {
            let budget = TurnBudget(loop: loop)
            budget.runAll {
                Self.work(.microseconds(100))
                return counted.value.withLock { count in
                    count += 1
                    return count < 2_000
                }
            }
            return (NIOLoopBound(budget, eventLoop: loop), counted.value.withLock { $0 })
        }.get()
        let meanwhile = try await probe.answer()
        #expect(before < 200, "\(before) pieces in the first turn")
        #expect(meanwhile < 400, "\(meanwhile) pieces before a socket was read")
        try await loop.submit { budget.value.close() }.get()
        try await probe.close()
    }

    /// Waiting clients are served in order, one piece each time.
    @Test func waitingClientsAreServedInTurn() async throws {
        let order = Shared(Mutex<[Int]>([]))
        let loop = loop
        let done = loop.makePromise(of: Void.self)
        try await loop.submit {
            let budget = TurnBudget(loop: loop, share: .nanoseconds(1))
            func piece(of number: Int, left: Int) {
                budget.run {
                    order.value.withLock { $0.append(number) }
                    if left > 1 { piece(of: number, left: left - 1) } else if number == 3 { done.succeed() }
                }
            }
            for number in 1...3 { piece(of: number, left: 3) }
        }.get()
        try await done.futureResult.get()
        // The first piece began before 2 and 3 came, and requested its second piece then.
        #expect(order.value.withLock { $0 } == [1, 1, 2, 3, 1, 2, 3, 2, 3])
    }

    @Test func turnEndsAndNextHasItsWholeShare() async throws {
        let loop = loop
        let statistics = try await loop.submit {
            let budget = TurnBudget(loop: loop, share: .milliseconds(1))
            for _ in 0..<10 { budget.run { Self.work(.microseconds(400)) } }
            return NIOLoopBound(budget, eventLoop: loop)
        }.get()
        while try await loop.submit({ statistics.value.statistics.pieces }).get() < 10 {}
        let counted = try await loop.submit { statistics.value.statistics }.get()
        // A thread that stands still meanwhile ends its turn earlier.
        #expect(counted.delayed >= 7 && counted.waiting == 0, "\(counted)")
        #expect(counted.mostInTurn <= 3, "\(counted)")
        try await loop.submit { statistics.value.close() }.get()
    }

    @Test func endedBudgetDoesNothing() async throws {
        let loop = loop
        try await loop.submit {
            let budget = TurnBudget(loop: loop, share: .nanoseconds(1))
            var done = 0
            for _ in 0..<3 { budget.run { done += 1 } }
            budget.close()
            budget.run { done += 1 }
            #expect(done == 1)
        }.get()
    }
}

/// A value that a test shares with closures of another thread.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}

/// A socket of the loop that a test wants to have read.
struct Probe {
    private let (server, client): (any Channel, any Channel)
    private let heard: AsyncStream<Int>
    private let count: @Sendable () -> Int

    /// - Parameter count: What the loop has done so far.
    init(on loop: any EventLoop, counting count: @escaping @Sendable () -> Int = { 0 }) async throws {
        let (heard, told) = AsyncStream.makeStream(of: Int.self)
        (self.heard, self.count) = (heard, count)
        server = try await DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Ear { told.yield(count()) })
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        // The test's side has a separate loop.
        client = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .bind(host: "127.0.0.1", port: 0).get()
    }

    /// Returns when the loop has read the socket: what the loop did between the datagram and its reading. The threads
    /// that send and read count it, because the task of a test may stand still for long.
    @discardableResult
    func answer() async throws -> Int {
        guard let address = server.localAddress else { return 0 }
        let datagram = AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: "x"))
        let sent = try await client.writeAndFlush(datagram).map { [count] in count() }.get()
        for await read in heard { return read - sent }
        return 0
    }

    func close() async throws {
        try await server.close().get()
        try await client.close().get()
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        private let heard: () -> Void
        init(_ heard: @escaping () -> Void) { self.heard = heard }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { heard() }
    }
}
