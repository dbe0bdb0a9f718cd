import Base
import CALSA  // For poll.h.
import Cryptography
import Glibc
import ICECore
import Platform

/// A connection to a TURN server (RFC 8656 §2.1): TCP, or TLS over TCP. Only the connector's thread uses it; it never
/// blocks.
final class TURNConnection {
    enum Event {
        case opened
        case received([UInt8])
        case closed
    }

    private enum State { case connecting, securing, open, closed }

    /// Limit of bytes queued for a server that does not read. Messages beyond it are dropped, as datagrams would be.
    private static let outputLimit = 65_536

    let id: StreamID
    private let socket: FileDescriptor
    private var state = State.connecting
    private var channel: SecureChannel?
    /// The host that the certificate must name.
    private let host: String
    private var output: [UInt8] = []

    /// Nil without a socket or a route to the server.
    init?(_ id: StreamID, to server: ICEServerAddress, _ context: TLSContext?) {
        let peer = server.address.unmapped
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(peer.address.isVersion6 ? AF_INET6 : AF_INET, flags, 0)
        guard descriptor >= 0 else { return nil }
        socket = FileDescriptor(owning: descriptor)
        self.id = id
        host = server.host
        if let context {
            channel = SecureChannel(context, serverName: IPAddress(server.host) == nil ? server.host : nil)
        }
        let result = unsafe peer.withSystemAddress { unsafe connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else { return nil }
    }

    /// The descriptor for poll.
    var waiting: pollfd {
        let writes = state == .connecting || !output.isEmpty
        return pollfd(fd: socket.number, events: Int16(POLLIN) | (writes ? Int16(POLLOUT) : 0), revents: 0)
    }

    func write(_ message: [UInt8]) {
        guard state == .open, output.count + message.count <= Self.outputLimit else { return }
        if channel == nil {
            output += message
        } else {
            _ = unsafe message.withUnsafeBytes { unsafe channel?.send($0) }
        }
        _ = flush()
    }

    func close() {
        channel?.close()
        _ = flush()
        state = .closed
    }

    /// Does what is possible without blocking.
    func serve() -> [Event] {
        guard state != .closed else { return [] }
        var events = state == .connecting ? connected() : []
        while state == .securing || state == .open, let bytes = read() { events += take(bytes) }
        if !flush() { events += fail() }
        return events
    }

    private func fail() -> [Event] {
        guard state != .closed else { return [] }
        state = .closed
        return [.closed]
    }

    /// Completes the connection, if the kernel has connected it by now.
    private func connected() -> [Event] {
        var descriptor = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&descriptor, 1, 0) > 0 else { return [] }
        var (fault, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard unsafe getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &fault, &length) == 0, fault == 0 else {
            return fail()
        }
        guard let events = channel?.start() else {
            state = .open
            return [.opened]
        }
        state = .securing
        return events.flatMap(secured)
    }

    /// Nil: nothing to read. The end of the stream closes the connection.
    private func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe recv(socket.number, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer[..<count]) }
        return count == 0 || errno != EAGAIN ? [] : nil
    }

    private func take(_ bytes: [UInt8]) -> [Event] {
        guard !bytes.isEmpty else { return fail() }
        guard let events = unsafe bytes.withUnsafeBytes({ unsafe channel?.receive($0) }) else {
            return [.received(bytes)]
        }
        return events.flatMap(secured)
    }

    private func secured(_ event: SecureChannel.Event) -> [Event] {
        switch event {
        case .established(let certificate):
            guard certificate?.names(host: host) == true else { return fail() }
            state = .open
            return [.opened]
        case .received(let bytes): return [.received(bytes)]
        case .closed, .failed: return fail()
        }
    }

    /// False when the connection is gone.
    private func flush() -> Bool {
        if let records = channel?.takeRecords() { output += records }
        guard state != .connecting, !output.isEmpty else { return true }
        let count = unsafe output.withUnsafeBytes {
            unsafe Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { output.removeFirst(count) }
        return count >= 0 || errno == EAGAIN
    }
}

extension Certificate {
    /// Whether the certificate is for this host: by its address, or by its name. A wildcard may replace the first label
    /// (RFC 9525 §6.3).
    fileprivate func names(host: String) -> Bool {
        if let address = IPAddress(host) {
            return subjectAlternativeNames.contains { if case .address(address.bytes) = $0 { true } else { false } }
        }
        let wanted = host.lowercased()
        let parent = wanted.firstIndex(of: ".").map { String(wanted[$0...]) }
        return subjectAlternativeNames.contains { name in
            guard case .dns(let own) = name else { return false }
            return own.lowercased() == wanted || parent.map { own.lowercased() == "*" + $0 } ?? false
        }
    }
}

extension TURNEnd {
    /// The reason as text for people, to follow the server's name.
    var sentence: String {
        switch self {
        case .closed: "is no longer needed"
        case .silent: "does not answer"
        case .transportLost: "cannot be reached, or has closed the connection"
        case .unauthorized: "does not accept the user or the password"
        case .redirected: "redirects to another server, which the phone does not follow"
        case .mismatch: "has lost the allocation, perhaps because it restarted"
        case .quotaReached: "relays no more for this user (quota reached)"
        case .insufficientCapacity: "is out of capacity"
        case .refused(let code): "refuses with error \(code)"
        case .malformed: "sent a response that cannot be used"
        }
    }
}
