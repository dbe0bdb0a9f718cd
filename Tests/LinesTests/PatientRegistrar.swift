import Base
import Cryptography
import Lines
import NIOCore
import NIOPosix
import SDPCore
import SIPCore
import SecureTransport
import Synchronization

/// A server that accepts every registration, answers every call, and records the times.
final class PatientRegistrar: Sendable {
    private let channel: any Channel
    private let desk: Desk

    /// - Parameter tls: Its certificate for TLS.
    init(on loop: any EventLoop, host: String, _ transport: Flow.Transport, tls: TLSContext? = nil) async throws {
        let desk = Desk(host: host)
        let kind: SystemSocket.Kind = transport == .udp ? .datagram : .stream
        // By the loop's own thread, which may be in another host's namespace.
        let socket = try await loop.submit { try SystemSocket.bound(kind, host: host, port: 5_060) }.get()
        switch transport {
        case .udp:
            channel = try await DatagramBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(DatagramClerk(desk))
                    }
                }
                .withBoundSocket(socket).get()
        case .tcp, .tls, .ws, .wss:
            channel = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandler(SecureChannelHandler(tls)) }
                        try channel.pipeline.syncOperations.addHandler(StreamClerk(desk))
                    }
                }
                .withBoundSocket(socket).get()
        }
        self.desk = desk
    }

    struct Silence: Error {}

    /// The time of the first REGISTER after an instant, from this address if one is given.
    func registered(after instant: Instant, from address: String = "") async throws -> Instant {
        let isMeant = { (register: Register) in register.at > instant && register.contact.contains(address) }
        for _ in 0..<1_500 {
            if let first = desk.registers.withLock({ $0.first(where: isMeant) }) { return first.at }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Silence()
    }

    /// Whether the call was ended.
    func heardBYE() async -> Bool {
        for _ in 0..<250 {
            if desk.byes.withLock({ $0 > 0 }) { return true }
            do { try await Task.sleep(for: .milliseconds(20)) } catch { return false }
        }
        return false
    }

    func close() async throws { try await channel.close().get() }

    private struct Register { let at: Instant, contact: String }

    private final class Desk: Sendable {
        let host: String
        let registers = Mutex<[Register]>([])
        let byes = Mutex(0)

        init(host: String) { self.host = host }

        func answer(_ bytes: [UInt8]) -> [UInt8]? {
            guard case .request(let request)? = try? SIPMessage(bytes.span), request.method != .ack else { return nil }
            var response = request.response(.ok, tag: "server")
            switch request.method {
            case .register:
                let contact = request.headers[.contact]
                let at = Instant(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
                registers.withLock { $0.append(Register(at: at, contact: contact ?? "")) }
                response.headers[.contact] = contact
            case .bye: byes.withLock { $0 += 1 }
            case .invite:
                let name = host.contains(":") ? "[\(host)]" : host
                response.headers[.contact] = "<sip:bob@\(name):5060>"
                response.headers.set(.contentType, MediaType.sdp)
                response.body = Array(sdp.utf8)
            default: break
            }
            return response.bytes
        }

        private var sdp: String {
            let family = host.contains(":") ? "IP6" : "IP4"
            return """
                v=0\r
                o=- 1 1 IN \(family) \(host)\r
                s=-\r
                c=IN \(family) \(host)\r
                t=0 0\r
                m=audio 9000 RTP/AVP 0\r

                """
        }
    }

    private final class DatagramClerk: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>
        private let desk: Desk
        init(_ desk: Desk) { self.desk = desk }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let packet = unwrapInboundIn(data)
            guard let answer = desk.answer(Array(packet.data.readableBytesView)) else { return }
            let buffer = context.channel.allocator.buffer(bytes: answer)
            let envelope = AddressedEnvelope(remoteAddress: packet.remoteAddress, data: buffer)
            context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }

    private final class StreamClerk: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let desk: Desk
        private var framer = SIPStreamFramer()
        init(_ desk: Desk) { self.desk = desk }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            for output in framer.receive(bytes.span) {
                switch output {
                case .message(let bytes):
                    guard let answer = desk.answer(bytes) else { continue }
                    context.writeAndFlush(
                        wrapOutboundOut(context.channel.allocator.buffer(bytes: answer)), promise: nil)
                case .ping:
                    context.writeAndFlush(
                        wrapOutboundOut(context.channel.allocator.buffer(string: "\r\n")), promise: nil)
                case .pong, .broken: break
                }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
