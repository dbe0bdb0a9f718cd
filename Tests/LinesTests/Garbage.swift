import Base
import NIOCore
import NIOPosix

/// Throws garbage at a line's two sockets, and returns when the line has handled it.
enum Garbage {
    static func pelt(port: Int, on loop: any EventLoop, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let datagrams = try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
        let target = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        for _ in 0..<100 {
            let buffer = datagrams.allocator.buffer(bytes: noise(&generator))
            try await datagrams.writeAndFlush(AddressedEnvelope(remoteAddress: target, data: buffer)).get()
        }
        try await datagrams.close().get()
        for _ in 0..<10 {
            let stream = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: port).get()
            var bytes: [UInt8] = [0xFF]
            while bytes.count < 500 { bytes += noise(&generator) }
            try await stream.writeAndFlush(stream.allocator.buffer(bytes: bytes + Array("\r\n\r\n".utf8))).get()
            // The line closes connections with non-SIP data.
            try await stream.closeFuture.get()
        }
    }

    private static func noise(_ generator: inout SeededGenerator) -> [UInt8] {
        let isNearlySIP = Bool.random(using: &generator)
        let start = isNearlySIP ? Array("INVITE sip:bob@127.0.0.1 SIP/2.0\r\nVia: ".utf8) : []
        return start
            + (0..<Int.random(in: 1...300, using: &generator)).map { _ in .random(in: .min ... .max, using: &generator)
            }
    }
}
