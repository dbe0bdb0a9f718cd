import Base
import Glibc
import Platform

/// The client's end of a connection to the control socket. Sends and receives bytes, each until a deadline.
struct ClientSocket: ~Copyable {
    private let owned: FileDescriptor
    private var descriptor: Int32 { owned.number }

    init(path: String) throws(ControlClientError) {
        guard let address = UnixAddress(path: path) else {
            let why = "the path must have 1 to \(UnixAddress.maximumPathLength) bytes"
            throw .unreachable(path: path, why: why)
        }
        let made = UnixAddress.makeSocket()
        guard made >= 0 else { throw .system(call: "socket", errno: errno) }
        let owned = FileDescriptor(owning: made)
        guard unsafe address.withSystemAddress({ unsafe connect(made, $0, $1) }) == 0 else {
            guard errno != EACCES else { throw .notPermitted(path: path) }
            throw .unreachable(path: path, why: SystemError.last)
        }
        self.owned = owned
    }

    /// Sends all bytes. A connection that the phone has closed is no error, because its last message can still be read.
    func send(_ bytes: [UInt8], until deadline: Instant) throws(ControlClientError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent >= 0 {
                rest = rest.dropFirst(sent)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: guard try wait(for: POLLOUT, until: deadline) else { throw .timedOut }
            case EPIPE, ECONNRESET: return
            case let failure: throw .system(call: "send", errno: failure)
            }
        }
    }

    /// The received bytes, at least one; nil if none arrived in time.
    func receive(until deadline: Instant) throws(ControlClientError) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return buffer[..<count] }
            if count == 0 { throw .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN: guard try wait(for: POLLIN, until: deadline) else { return nil }
            case ECONNRESET: throw .closed
            case let failure: throw .system(call: "recv", errno: failure)
            }
        }
    }

    /// False if the deadline has passed.
    private func wait(for event: Int32, until deadline: Instant) throws(ControlClientError) -> Bool {
        while true {
            let rest = deadline - MonotonicClock.now()
            guard rest > .zero else { return false }
            // Round up, so that the loop does not spin through the last millisecond.
            let milliseconds = Int32(clamping: rest.nanoseconds / 1_000_000 + 1)
            var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            switch unsafe poll(&entry, 1, milliseconds) {
            case 1...: return true
            case 0: continue
            default: guard errno == EINTR else { throw .system(call: "poll", errno: errno) }
            }
        }
    }
}
