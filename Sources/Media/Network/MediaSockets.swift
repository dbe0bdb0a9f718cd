import Base
import CDatagram
import Glibc
import Platform

/// A call's two sockets: RTP on an even port, RTCP on the port above it (RFC 3550 §11). A page that we send uses only
/// the RTP socket. They close with their owner.
///
/// Both are non-blocking and marked for expedited forwarding (RFC 4594 §4.1).
final class MediaSockets: Sendable {
    /// The code point of expedited forwarding, in the upper six bits of the octet.
    private static let expedited: Int32 = 46 << 2

    private let ownedVoice: FileDescriptor
    private let ownedControl: FileDescriptor
    var voice: Int32 { ownedVoice.number }
    var control: Int32 { ownedControl.number }
    /// The address that both are bound to, with the voice's port; may be the wildcard address.
    let bound: TransportAddress
    var port: UInt16 { bound.port }
    let isIPv6: Bool

    /// - Parameter start: where in the range the search begins. It is random, so that ports are hard to guess.
    init(address: String, ports: ClosedRange<UInt16>, start: UInt16) throws(MediaError) {
        guard let local = TransportAddress(host: address, port: 0) else { throw .badAddress(address) }
        isIPv6 = local.address.isVersion6
        let first = Int(ports.lowerBound) + Int(ports.lowerBound) % 2
        let pairs = (Int(ports.upperBound) + 1 - first) / 2
        var reason = EADDRINUSE
        for attempt in 0..<max(0, pairs) {
            let port = UInt16(first + (Int(start) + attempt) % pairs * 2)
            guard let voice = Self.bind(local, port: port, isIPv6: isIPv6, reason: &reason) else { continue }
            guard let control = Self.bind(local, port: port + 1, isIPv6: isIPv6, reason: &reason) else { continue }
            ownedVoice = voice
            ownedControl = control
            var bound = local
            bound.port = port
            self.bound = bound
            return
        }
        throw .noPort(address: address, ports, reason)
    }

    /// Sends one datagram.
    /// - Parameter local: Our source address. Nil: the kernel chooses.
    /// - Returns: The error number, if the kernel did not accept it.
    func send(_ packet: Span<UInt8>, on socket: Int32, to peer: TransportAddress, from local: TransportAddress? = nil)
        -> Int32?
    {
        var source = cdatagram_local()
        if let local {
            source.address = unsafe unsafeBitCast(local.address.version6, to: type(of: source.address))
            source.is_known = 1
        }
        let fault = unsafe packet.withUnsafeBytes { bytes in
            unsafe peer.withSystemAddress(isIPv6: isIPv6) { address, length in
                unsafe cdatagram_send(
                    socket, isIPv6 ? 1 : 0, bytes.baseAddress, bytes.count, address, length, &source)
            }
        }
        return fault == 0 ? nil : fault
    }

    /// A datagram as it came.
    struct Arrival: Sendable {
        let count: Int
        let sender: TransportAddress
        /// The local address that received it; known after `tellLocal`, and not if a server relayed the datagram.
        let local: TransportAddress?
        /// When the kernel received it.
        let at: Instant
    }

    /// Receives one datagram, if there is one. A longer datagram is truncated to the buffer.
    /// - Parameter port: The socket's own port, for `Arrival.local`.
    static func receive(on socket: Int32, port: UInt16 = 0, into buffer: inout MutableSpan<UInt8>) -> Arrival? {
        var storage = sockaddr_storage()
        var local = cdatagram_local()
        var stamp: Int64 = 0
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe cdatagram_receive(socket, bytes.baseAddress, bytes.count, &storage, &local, &stamp)
        }
        guard count >= 0, let sender = TransportAddress(storage) else { return nil }
        let now = MonotonicClock.now()
        return Arrival(
            count: count, sender: sender,
            local: local.is_known == 0
                ? nil : TransportAddress(IPAddress(unsafe unsafeBitCast(local.address, to: in6_addr.self)), port),
            at: stamp == 0 ? now : ArrivalStamp(nanoseconds: stamp).instant(realTime: RealTimeClock.now(), now: now))
    }

    /// Makes both sockets report the local address of each datagram. ICE needs it to distinguish paths.
    func tellLocal() { for socket in [voice, control] { _ = cdatagram_tell_local(socket, isIPv6 ? 1 : 0) } }

    /// The socket for a path with this local address.
    func descriptor(at local: TransportAddress) -> Int32 { local.port == port + 1 ? control : voice }

    private static func bind(_ local: TransportAddress, port: UInt16, isIPv6: Bool, reason: inout Int32)
        -> FileDescriptor?
    {
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, flags, 0)
        guard descriptor >= 0 else {
            reason = errno
            return nil
        }
        let owned = FileDescriptor(owning: descriptor)
        cdatagram_tell_time(descriptor)
        var service = expedited
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A network that ignores or rejects the mark still carries the call.
        _ =
            unsafe isIPv6
            ? setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_TCLASS, &service, size)
            : setsockopt(descriptor, Int32(IPPROTO_IP), IP_TOS, &service, size)
        var place = local
        place.port = port
        let isBound = unsafe place.withSystemAddress(isIPv6: isIPv6) { unsafe Glibc.bind(descriptor, $0, $1) == 0 }
        guard isBound else {
            reason = errno
            return nil
        }
        return owned
    }
}

/// The kernel's time of a datagram's arrival. Threads read datagrams when they have time for them, so the time of
/// reading says little about the network.
package struct ArrivalStamp: Sendable {
    /// A datagram that seems to have waited longer is dated by its reading: somebody has set the clock of the day.
    package static let longestWait = Duration.seconds(1)

    /// CLOCK_REALTIME, as of `RealTimeClock`.
    private let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The arrival on the monotonic clock.
    /// - Parameters:
    ///   - realTime: The clock of the day at `now`.
    ///   - now: When the datagram was read.
    package func instant(realTime: Int64, now: Instant) -> Instant {
        let (age, isOverflow) = realTime.subtractingReportingOverflow(nanoseconds)
        guard !isOverflow, age >= 0, age <= Self.longestWait.nanoseconds else { return now }
        return Instant(nanoseconds: now.nanoseconds - age)
    }
}
