import Trace

/// Reads captures by their standards, written independently of the writer.
struct CaptureReader {
    struct Datagram: Equatable {
        let microseconds: Int64
        let source: [UInt8]
        let target: [UInt8]
        let sourcePort: Int
        let targetPort: Int
        let payload: [UInt8]
    }

    struct Fault: Error, Equatable { let what: String }

    private var bytes: ArraySlice<UInt8>

    static func read(_ file: [UInt8]) throws -> [Datagram] {
        var reader = CaptureReader(bytes: file[...])
        guard try reader.little(4) == 0xA1B2_C3D4, try reader.little(2) == 2, try reader.little(2) == 4 else {
            throw Fault(what: "header")
        }
        _ = try reader.take(8)
        guard try reader.little(4) >= 65_535, try reader.little(4) == 101 else { throw Fault(what: "link type") }
        var datagrams: [Datagram] = []
        while !reader.bytes.isEmpty { datagrams.append(try reader.record()) }
        return datagrams
    }

    private mutating func record() throws -> Datagram {
        let (seconds, micros) = (try little(4), try little(4))
        let (kept, whole) = (try little(4), try little(4))
        guard kept == whole, micros < 1_000_000 else { throw Fault(what: "record") }
        let packet = Array(try take(kept))
        let isOld = packet[0] >> 4 == 4
        let udp = Array(packet.dropFirst(isOld ? 20 : 40))
        if isOld {
            guard packet[0] == 0x45, Self.big(packet[2..<4]) == packet.count, packet[9] == 17,
                Self.sum(Array(packet[..<20])) == 0xFFFF
            else { throw Fault(what: "IPv4 header") }
        } else {
            guard packet[0] == 0x60, Self.big(packet[4..<6]) == udp.count, packet[6] == 17 else {
                throw Fault(what: "IPv6 header")
            }
        }
        guard Self.big(udp[4..<6]) == udp.count else { throw Fault(what: "UDP length") }
        let source = Array(isOld ? packet[12..<16] : packet[8..<24])
        let target = Array(isOld ? packet[16..<20] : packet[24..<40])
        guard Self.big(udp[6..<8]) != 0, Self.sum(source + target + [0, 17] + udp[4..<6] + udp) == 0xFFFF else {
            throw Fault(what: "UDP checksum")
        }
        return Datagram(
            microseconds: Int64(seconds) * 1_000_000 + Int64(micros), source: source, target: target,
            sourcePort: Self.big(udp[0..<2]), targetPort: Self.big(udp[2..<4]), payload: Array(udp.dropFirst(8)))
    }

    /// With its checksum in it, the sum of good bytes is all ones (RFC 1071 §1).
    private static func sum(_ bytes: [UInt8]) -> Int {
        var sum = 0
        for (place, byte) in bytes.enumerated() { sum += place % 2 == 0 ? Int(byte) * 256 : Int(byte) }
        while sum > 0xFFFF { sum = sum % 65_536 + sum / 65_536 }
        return sum
    }

    private static func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 * 256 + Int($1) } }

    private mutating func little(_ count: Int) throws -> Int {
        try take(count).reversed().reduce(0) { $0 * 256 + Int($1) }
    }

    private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard bytes.count >= count else { throw Fault(what: "cut") }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
