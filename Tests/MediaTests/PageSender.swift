import Glibc
import Media
import PhoneCore

/// A sender to a group, on the loopback interface: a phone whose call goes there, or raw packets.
struct PageSender {
    struct Failure: Error {}

    private let socket: Int32
    private let group: MediaSettings.PageGroup

    /// A group that no other test uses.
    static func anyGroup(
        codecs: [UInt8: AudioCodec] = MediaSettings.PageGroup.assigned
    ) -> MediaSettings.PageGroup {
        let host = (0..<3).map { _ in String(Int.random(in: 1...254)) }.joined(separator: ".")
        return .init(address: "239." + host, port: .random(in: 20_000...60_000), codecs: codecs)
    }

    /// A call that only sends, in clear, to the group.
    static func plan(to group: MediaSettings.PageGroup, _ codec: AudioCodec) -> NegotiatedMedia {
        let type = TestPhone.payloadType(codec)
        return NegotiatedMedia(
            remote: MediaAddress(host: group.address, port: group.port),
            codec: .init(
                codec, sendPayloadType: type, receivePayloadType: type, packetMilliseconds: 20, farEndUsesFEC: true),
            sends: true, receives: false)
    }

    /// Packets as they are, to an IPv4 group.
    init(_ group: MediaSettings.PageGroup) throws {
        self.group = group
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var interface = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let size = socklen_t(MemoryLayout<in_addr>.size)
        guard unsafe setsockopt(socket, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface, size) == 0 else {
            throw Failure()
        }
    }

    func close() { Glibc.close(socket) }

    /// Loud PCMU, in packets of 20 ms.
    func page(milliseconds: Int) {
        for number in 0..<milliseconds / 20 {
            let time = UInt32(160 * number)
            let bytes = [UInt8(time >> 24), UInt8(time >> 16 & 0xFF), UInt8(time >> 8 & 0xFF), UInt8(time & 0xFF)]
            let sound = (0..<160).map { $0 / 4 % 2 == 0 ? 0x20 : 0xA0 } as [UInt8]
            send([0x80, 0, 0, UInt8(number)] + bytes + [1, 2, 3, 4] + sound)
            listen(milliseconds: 20)
        }
    }

    private func send(_ packet: [UInt8]) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = group.port.bigEndian
        unsafe inet_pton(AF_INET, group.address, &address.sin_addr)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(socket, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
