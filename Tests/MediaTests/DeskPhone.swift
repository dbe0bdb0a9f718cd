import Glibc
import PhoneCore

/// A peer that sends PCMU in clear from a separate socket.
final class DeskPhone {
    struct Failure: Error {}

    private let socket: Int32
    let port: UInt16

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(socket) }

    var plan: NegotiatedMedia {
        NegotiatedMedia(
            remote: MediaAddress(host: "127.0.0.1", port: port),
            codec: .init(
                .pcmu, sendPayloadType: 0, receivePayloadType: 0, packetMilliseconds: 20, farEndUsesFEC: true),
            sends: true, receives: true)
    }

    /// Received packets, oldest first.
    func received() -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while true {
            var bytes = [UInt8](repeating: 0, count: 2_048)
            let count = unsafe recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return packets }
            packets.append(Array(bytes.prefix(count)))
        }
    }

    /// A packet of 20 ms, the first of which is number 0.
    func send(payloadType: UInt8, _ number: Int, payload: [UInt8], to port: UInt16) {
        let time = UInt32(160 * number)
        let header: [UInt8] = [
            0x80, payloadType, UInt8(number >> 8), UInt8(number & 0xFF), UInt8(time >> 24),
            UInt8(time >> 16 & 0xFF),
            UInt8(time >> 8 & 0xFF), UInt8(time & 0xFF), 1, 2, 3, 4,
        ]
        send(header + payload, to: port)
    }

    /// A datagram, unchanged.
    func send(_ packet: [UInt8], to port: UInt16) {
        var address = Self.address(port: port)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(socket, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
