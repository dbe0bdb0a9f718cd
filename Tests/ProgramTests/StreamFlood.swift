import Base
import Bench
import Cryptography
import Foundation
import Glibc
import Synchronization

/// Connections that repeat the same request without waiting for answers, read slowly, and reconnect when closed. All
/// from a separate thread, until ended.
final class StreamFlood: Sendable {
    enum Door: Sendable {
        case port(UInt16)
        case secure(UInt16)
        case socket(String)
    }

    private struct Progress {
        var isWanted = true
        var bytes = 0
        var connections = 0
    }

    /// How many bytes a connection reads in each round.
    private static let sip = 2_048
    private static let round: Duration = .milliseconds(20)

    private let progress = Mutex(Progress())
    private let finished = DispatchSemaphore(value: 0)

    init(_ count: Int, at door: Door, saying request: String) {
        let bytes = Array(String(repeating: request, count: max(1, 65_536 / request.utf8.count)).utf8)
        let thread = Thread { self.run(count, door, bytes) }
        thread.name = "flood"
        thread.start()
    }

    /// - Returns: The bytes that the phone took, and the connections that were made.
    @discardableResult
    func stop() -> (bytes: Int, connections: Int) {
        let wasWanted = progress.withLock { progress in
            defer { progress.isWanted = false }
            return progress.isWanted
        }
        if wasWanted { finished.wait() }
        return progress.withLock { ($0.bytes, $0.connections) }
    }

    private func run(_ count: Int, _ door: Door, _ bytes: [UInt8]) {
        var visitors: [Visitor?] = Array(repeating: nil, count: count)
        var nextRound = MonotonicTime.now
        while progress.withLock({ $0.isWanted }) {
            let reads = MonotonicTime.now >= nextRound
            if reads { nextRound = MonotonicTime.now + Self.round }
            var sent = 0
            for index in visitors.indices {
                if visitors[index] == nil {
                    visitors[index] = Visitor(door)
                    progress.withLock { $0.connections += 1 }
                }
                guard let visitor = visitors[index] else { continue }
                let isOpen = (!reads || visitor.read(upTo: Self.sip)) && visitor.say(bytes, &sent)
                if !isOpen { visitors[index] = nil }
            }
            progress.withLock { $0.bytes += sent }
            // A round without data would turn the flood into a measurement of this loop.
            MonotonicTime.sleep(sent == 0 ? .milliseconds(2) : .microseconds(200))
        }
        visitors = []
        finished.signal()
    }

    /// One end of TLS, which cannot be copied.
    private final class SecureEnd {
        var channel: SecureChannel
        init(_ context: TLSContext) { channel = SecureChannel(context) }
    }

    /// One connection.
    private final class Visitor {
        private let socket: Int32
        private var place = 0
        private var secure: SecureEnd?
        /// Records that the kernel did not take yet.
        private var waiting: [UInt8] = []

        init?(_ door: Door) {
            let isLocal = if case .socket = door { true } else { false }
            socket = Glibc.socket(
                isLocal ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard socket >= 0, Self.connect(socket, door) else { return nil }
            _ = fcntl(socket, F_SETFL, O_NONBLOCK)
            guard case .secure = door, let context = try? TLSContext(.client, trust: .anybody) else { return }
            let end = SecureEnd(context)
            _ = end.channel.start()
            waiting = end.channel.takeRecords()
            secure = end
        }

        deinit { close(socket) }

        private static func connect(_ socket: Int32, _ door: Door) -> Bool {
            switch door {
            case .socket(let path):
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
                return withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    }
                }
            case .port(let port), .secure(let port):
                // Small buffers: the phone cannot write an unread answer into the kernel.
                var size: Int32 = 4_096
                setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
                // The phone knows 127.0.0.1, and no peer at 127.0.0.9.
                var own = sockaddr_in.loopback("127.0.0.9", port: 0)
                var far = sockaddr_in.loopback("127.0.0.1", port: port)
                let length = socklen_t(MemoryLayout<sockaddr_in>.size)
                return withUnsafePointer(to: &own) { own in
                    withUnsafePointer(to: &far) { far in
                        own.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) } == 0
                            && far.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                                Glibc.connect(socket, $0, length)
                            } == 0
                    }
                }
            }
        }

        /// - Returns: False when the connection is over.
        func read(upTo count: Int) -> Bool {
            var buffer = [UInt8](repeating: 0, count: count)
            let got = recv(socket, &buffer, count, Int32(MSG_DONTWAIT))
            guard got > 0 else { return got < 0 && errno == EAGAIN }
            if let secure {
                _ = buffer.withUnsafeBytes { secure.channel.receive(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
                waiting += secure.channel.takeRecords()
            }
            return true
        }

        func say(_ bytes: [UInt8], _ sent: inout Int) -> Bool {
            if let secure {
                if secure.channel.isEstablished, waiting.isEmpty {
                    _ = bytes.withUnsafeBytes { secure.channel.send(UnsafeRawBufferPointer(rebasing: $0[..<16_384])) }
                    waiting = secure.channel.takeRecords()
                }
                let taken = push(waiting[...])
                if taken > 0 { waiting.removeFirst(taken) }
                sent += max(0, taken)
                return taken >= 0
            }
            let taken = push(bytes[place...])
            place = (place + max(0, taken)) % bytes.count
            sent += max(0, taken)
            return taken >= 0
        }

        /// - Returns: How many bytes the kernel took; less than 0 when the connection is over.
        private func push(_ bytes: ArraySlice<UInt8>) -> Int {
            guard !bytes.isEmpty else { return 0 }
            let taken = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            return taken < 0 && errno == EAGAIN ? 0 : taken
        }
    }
}
