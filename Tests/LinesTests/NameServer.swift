import Base
import NIOCore
import NIOPosix
import Synchronization

/// A name server on loopback with a few records, which counts its queries.
final class NameServer: Sendable {
    enum Record: Sendable {
        case a(String)
        case srv(priority: UInt16, port: UInt16, String)
        case naptr(order: UInt16, service: String, String)
    }

    let address: String
    private let channel: any Channel
    private let questions: Questions

    /// - Parameter records: By the names that have them; every one lives so many seconds.
    init(on loop: any EventLoop, life: UInt32 = 60, _ records: [String: [Record]]) async throws {
        let questions = Questions()
        self.questions = questions
        channel = try await DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Clerk(records: records, life: life, questions))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        address = "127.0.0.1:\(channel.localAddress?.port ?? 0)"
    }

    /// From now on no name exists.
    func forget() { questions.isForgotten.withLock { $0 = true } }

    /// The queried names, with the number of their type.
    var asked: [String] { questions.all.withLock { $0 } }

    func close() async throws { try await channel.close().get() }

    private final class Questions: Sendable {
        let all = Mutex<[String]>([])
        let isForgotten = Mutex(false)
    }

    private final class Clerk: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        private let records: [String: [Record]]
        private let life: UInt32
        private let questions: Questions

        init(records: [String: [Record]], life: UInt32, _ questions: Questions) {
            (self.records, self.life, self.questions) = (records, life, questions)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let packet = unwrapInboundIn(data)
            let bytes = Array(packet.data.readableBytesView)
            guard bytes.count > 16, let answer = answer(bytes) else { return }
            let buffer = context.channel.allocator.buffer(bytes: answer)
            context.writeAndFlush(
                wrapOutboundOut(AddressedEnvelope(remoteAddress: packet.remoteAddress, data: buffer)), promise: nil)
        }

        private func answer(_ bytes: [UInt8]) -> [UInt8]? {
            var (index, labels): (Int, [String]) = (12, [])
            while index < bytes.count, bytes[index] != 0 {
                let end = index + 1 + Int(bytes[index])
                guard end < bytes.count else { return nil }
                labels.append(String(decoding: bytes[index + 1..<end], as: UTF8.self).lowercased())
                index = end
            }
            guard index + 4 < bytes.count else { return nil }
            let (name, type) = (labels.joined(separator: "."), UInt16(bytes[index + 2]))
            questions.all.withLock { $0.append("\(name) \(type)") }
            let known = questions.isForgotten.withLock { $0 } ? nil : records[name]
            let found = (known ?? []).filter { $0.type == type }
            // Without any record there is no such name.
            var answer = Array(bytes[..<2]) + [0x81, known == nil ? 0x83 : 0x80, 0, 1]
            answer.append(bigEndian: UInt16(found.count))
            answer += [0, 0, 0, 0] + bytes[12...index + 4]
            for record in found {
                answer += [0xC0, 12, 0, UInt8(type), 0, 1]
                answer.append(bigEndian: life)
                answer.append(bigEndian: UInt16(record.data.count))
                answer += record.data
            }
            return answer
        }
    }
}

extension NameServer.Record {
    fileprivate var type: UInt16 {
        switch self {
        case .a: 1
        case .srv: 33
        case .naptr: 35
        }
    }

    fileprivate var data: [UInt8] {
        var data: [UInt8] = []
        switch self {
        case .a(let address): data = address.split(separator: ".").compactMap { UInt8($0) }
        case .srv(let priority, let port, let target):
            for number in [priority, 0, port] { data.append(bigEndian: number) }
            data += Self.name(target)
        case .naptr(let order, let service, let replacement):
            for number in [order, 0] { data.append(bigEndian: number) }
            data += [1, 0x73, UInt8(service.utf8.count)] + Array(service.utf8) + [0] + Self.name(replacement)
        }
        return data
    }

    private static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
