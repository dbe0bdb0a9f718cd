import NIOCore
import NIOPosix
import SIPCore
import Synchronization

/// A registrar on loopback without challenges, which ignores the first unregister of a phone.
final class Registrar: Sendable {
    let port: UInt16
    private let channel: any Channel
    private let desk: Desk

    init(on loop: any EventLoop) async throws {
        let desk = Desk()
        channel = try await DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(desk.handler) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.desk = desk
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    /// How many unregisters it got.
    var unregisters: Int { desk.unregisters.withLock { $0 } }
    /// The users that registered, in order.
    var users: [String] { desk.users.withLock { $0 } }

    func close() async throws { try await channel.close().get() }

    /// Sends a message to a phone, from the address where the phone found it.
    func say(_ message: SIPRequest, to phone: Phone) async throws {
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: try await phone.port())
        let buffer = channel.allocator.buffer(bytes: message.bytes)
        try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: buffer)).get()
    }

    private final class Desk: Sendable {
        let unregisters = Mutex(0)
        let users = Mutex<[String]>([])

        var handler: Clerk { Clerk(desk: self) }

        func answer(_ request: SIPRequest) -> SIPResponse? {
            guard (try? request.headers.expires) == 0 else {
                if case .sip(let uri)? = try? request.headers.to.uri {
                    users.withLock { $0.append(uri.userinfo ?? "") }
                }
                return request.response(.ok, tag: "registrar")
            }
            let count = unregisters.withLock { count in
                count += 1
                return count
            }
            return count == 1 ? nil : request.response(.ok, tag: "registrar")
        }
    }

    private final class Clerk: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        private let desk: Desk

        init(desk: Desk) { self.desk = desk }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let packet = unwrapInboundIn(data)
            let bytes = Array(packet.data.readableBytesView)
            guard case .request(let request)? = try? SIPMessage(bytes.span), let answer = desk.answer(request) else {
                return
            }
            let buffer = context.channel.allocator.buffer(bytes: answer.bytes)
            let envelope = AddressedEnvelope(remoteAddress: packet.remoteAddress, data: buffer)
            context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
        }
    }
}
