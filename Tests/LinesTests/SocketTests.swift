import Glibc
import Lines
import NIOCore
import NIOPosix
import SIPCore
import Synchronization
import Testing
import Turns

@Suite("Sockets that fail", .timeLimit(.minutes(5)))
struct SocketTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// All that Linux has names for.
    private static let everyError: ClosedRange<CInt> = 1...133

    @Test("every send error fails only its own datagram")
    func everySendErrorFailsOnlyItsOwnDatagram() async throws {
        let echo = Echo(on: loop)
        let far = try await echo.bind()
        let remote = Flow.Endpoint("127.0.0.1", UInt16(far.localAddress?.port ?? 0))
        let failure = Mutex<CInt?>(nil)
        let loop = loop
        let datagrams = try await loop.submit {
            let datagrams = Datagrams(
                try SystemSocket.bound(.datagram, host: "127.0.0.1", port: 0), loop: loop,
                budget: TurnBudget(loop: loop),
                send: { (bytes, socket, address) throws(SystemSocket.Failure) in
                    if let code = failure.withLock({ $0 }) { throw SystemSocket.Failure(code: code) }
                    try SystemSocket.send(bytes, on: socket, to: address)
                }, changed: { _ in }, receive: { _, _ in })
            datagrams.start()
            return NIOLoopBound(datagrams, eventLoop: loop)
        }.get()
        for code in Self.everyError {
            failure.withLock { $0 = code }
            let refusal = try await loop.submit { () -> CInt? in
                do throws(SystemSocket.Failure) {
                    try datagrams.value.send([0], to: remote)
                    return nil
                } catch {
                    return error.code
                }
            }.get()
            // With a lack of room only, the datagram counts as lost on the way.
            #expect(refusal == ([EAGAIN, ENOBUFS, ENOMEM].contains(code) ? nil : code))
            failure.withLock { $0 = nil }
            try await loop.submit { try datagrams.value.send([UInt8(code)], to: remote) }.get()
            #expect(await echo.next() == [UInt8(code)])
        }
        #expect(try await loop.submit { datagrams.value.socket.reopenings }.get() == 0)
        try await loop.submit { datagrams.value.close() }.get()
        try await far.close().get()
    }

    /// The socket's readers, one after the other.
    private final class Channels: Sendable {
        private let all = Mutex<[any Channel]>([])
        private let refusals: Mutex<Int>
        private let attempts = Mutex(0)

        init(refusing count: Int = 0) { refusals = Mutex(count) }

        var count: Int { attempts.withLock { $0 } }
        var last: (any Channel)? { all.withLock { $0.last } }

        /// Nil: this one is refused.
        func opened(_ channel: any Channel) -> Bool {
            attempts.withLock { $0 += 1 }
            guard
                refusals.withLock({ left in
                    left -= 1; return left < 0
                })
            else { return false }
            all.withLock { $0.append(channel) }
            return true
        }
    }

    private struct Kept {
        let socket: NIOLoopBound<KeptSocket>
        let port: UInt16
        let heard: AsyncStream<Void>
        /// The reading state, each time that it changed.
        let reading: AsyncStream<Bool>
    }

    private func kept(
        _ kind: SystemSocket.Kind, _ channels: Channels
    ) async throws -> Kept {
        let loop = loop
        let (heard, hear) = AsyncStream.makeStream(of: Void.self)
        let (reading, tell) = AsyncStream.makeStream(of: Bool.self)
        let (socket, port) = try await loop.submit {
            let descriptor = try SystemSocket.bound(kind, host: "127.0.0.1", port: 0)
            let port = try SystemSocket.port(of: descriptor)
            let open = { (copy: CInt) in
                let channel: EventLoopFuture<any Channel> =
                    kind == .datagram
                    ? DatagramBootstrap(group: loop)
                        .channelInitializer { channel in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(Ear(hear))
                            }
                        }.withBoundSocket(copy)
                    : ServerBootstrap(group: loop)
                        .childChannelInitializer { child in
                            hear.yield()
                            return child.close()
                        }.withBoundSocket(copy)
                return channel.flatMapThrowing { channel in
                    guard channels.opened(channel) else {
                        channel.close(promise: nil)
                        throw ChannelError.eof
                    }
                    return channel
                }
            }
            let socket = KeptSocket(descriptor, loop: loop, open: open) { tell.yield($0) }
            socket.start()
            return (NIOLoopBound(socket, eventLoop: loop), port)
        }.get()
        return Kept(socket: socket, port: port, heard: heard, reading: reading)
    }

    private final class Ear: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        private let hear: AsyncStream<Void>.Continuation
        init(_ hear: AsyncStream<Void>.Continuation) { self.hear = hear }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { hear.yield() }
    }

    private func knock(_ kind: SystemSocket.Kind, at port: UInt16) async throws {
        if kind == .datagram {
            let channel = try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
            let far = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
            try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: far, data: ByteBuffer(bytes: [1]))).get()
            try await channel.close().get()
        } else {
            let channel = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: Int(port)).get()
            try await channel.closeFuture.get()
        }
    }

    @Test(
        "a dead reader is replaced: the socket keeps its port and data",
        arguments: [
            SystemSocket.Kind.datagram, .stream,
        ])
    func deadReaderIsReplacedSocketKeepsItsPortAndData(kind: SystemSocket.Kind) async throws {
        let channels = Channels()
        let kept = try await kept(kind, channels)
        let (socket, port) = (kept.socket, kept.port)
        var ears = kept.heard.makeAsyncIterator()
        for _ in 0..<4 {
            try await knock(kind, at: port)
            #expect(await ears.next() != nil)
            try await channels.last?.close().get()
        }
        try await knock(kind, at: port)
        #expect(await ears.next() != nil)
        #expect(try await loop.submit { socket.value.reopenings }.get() == 4)
        // Of so many at once one is reported, and their end once.
        var reading = kept.reading.makeAsyncIterator()
        #expect(await reading.next() == false)
        #expect(await reading.next() == true)
        try await loop.submit { socket.value.close() }.get()
    }

    @Test(
        "a reader that cannot be made is retried after pauses", arguments: [SystemSocket.Kind.datagram, .stream])
    func readerThatCannotBeMadeIsRetriedAfterPauses(kind: SystemSocket.Kind) async throws {
        let began = NIODeadline.now()
        let channels = Channels(refusing: 4)
        let kept = try await kept(kind, channels)
        let (socket, port) = (kept.socket, kept.port)
        while channels.last == nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(channels.count == 5)
        // 50, 100, 200 and 400 ms.
        #expect(NIODeadline.now() - began >= .milliseconds(750))
        try await knock(kind, at: port)
        for await _ in kept.heard { break }
        try await loop.submit { socket.value.close() }.get()
        // The port is free again.
        try await loop.submit { _ = try SystemSocket.bound(kind, host: "127.0.0.1", port: port) }.get()
    }
}
