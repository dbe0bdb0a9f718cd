import Glibc
import Platform

/// A call's two sockets, of which a page that is sent uses one: RTP on an even port, RTCP on the
/// port above it (RFC 3550 §11). They are closed with their owner.
///
/// Both are non-blocking and marked for expedited forwarding (RFC 4594 §4.1).
final class MediaSockets: Sendable {
    /// The code point of expedited forwarding, in the upper six bits of the octet.
    private static let expedited: Int32 = 46 << 2

    private static let dontWait = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    private let ownedVoice: FileDescriptor
    private let ownedControl: FileDescriptor
    var voice: Int32 { ownedVoice.number }
    var control: Int32 { ownedControl.number }
    let port: UInt16
    let isIPv6: Bool

    /// - Parameter start: where in the range the search begins. It is random, so that ports are hard to guess.
    init(address: String, ports: ClosedRange<UInt16>, start: UInt16) throws(MediaError) {
        guard let local = PeerAddress(host: address, port: 0) else { throw .badAddress(address) }
        isIPv6 = !local.isIPv4
        let first = Int(ports.lowerBound) + Int(ports.lowerBound) % 2
        let pairs = (Int(ports.upperBound) + 1 - first) / 2
        var reason = EADDRINUSE
        for attempt in 0..<max(0, pairs) {
            let port = UInt16(first + (Int(start) + attempt) % pairs * 2)
            guard let voice = Self.bind(local, port: port, isIPv6: isIPv6, reason: &reason) else { continue }
            guard let control = Self.bind(local, port: port + 1, isIPv6: isIPv6, reason: &reason) else { continue }
            ownedVoice = voice
            ownedControl = control
            self.port = port
            return
        }
        throw .noPort(address: address, ports, reason)
    }

    /// Sends one datagram.
    /// - Returns: The error number, if the kernel did not take it.
    func send(_ packet: Span<UInt8>, on socket: Int32, to peer: PeerAddress) -> Int32? {
        unsafe packet.withUnsafeBytes { bytes in
            unsafe peer.withSocketAddress(isIPv6: isIPv6) { address, length in
                unsafe sendto(
                    socket, bytes.baseAddress, bytes.count, Self.dontWait,
                    address, length) < 0 ? errno : nil
            }
        }
    }

    /// Receives one datagram, if there is one: its length and its sender. A datagram longer than the buffer is cut.
    static func receive(on socket: Int32, into buffer: inout MutableSpan<UInt8>) -> (count: Int, sender: PeerAddress)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe UnsafeMutableRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe recvfrom(
                        socket, bytes.baseAddress, bytes.count, dontWait, $0, &length)
                }
            }
        }
        guard count >= 0, let sender = PeerAddress(storage) else { return nil }
        return (count, sender)
    }

    private static func bind(_ local: PeerAddress, port: UInt16, isIPv6: Bool, reason: inout Int32) -> FileDescriptor? {
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, flags, 0)
        guard descriptor >= 0 else {
            reason = errno
            return nil
        }
        let owned = FileDescriptor(owning: descriptor)
        var service = expedited
        let size = socklen_t(MemoryLayout<Int32>.size)
        // A network that ignores or refuses the mark still carries the call.
        _ =
            unsafe isIPv6
            ? setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_TCLASS, &service, size)
            : setsockopt(descriptor, Int32(IPPROTO_IP), IP_TOS, &service, size)
        var place = local
        place.port = port
        let isBound = unsafe place.withSocketAddress(isIPv6: isIPv6) { unsafe Glibc.bind(descriptor, $0, $1) == 0 }
        guard isBound else {
            reason = errno
            return nil
        }
        return owned
    }
}
