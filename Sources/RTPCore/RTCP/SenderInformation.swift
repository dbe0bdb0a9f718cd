/// The sender information of a sender report, RFC 3550 §6.4.1.
public struct SenderInformation: Equatable, Sendable {
    public static let size = 20

    public let time: NTPTime
    public let timestamp: UInt32
    public let packets: UInt32
    public let octets: UInt32

    public init(time: NTPTime, timestamp: UInt32, packets: UInt32, octets: UInt32) {
        self.time = time
        self.timestamp = timestamp
        self.packets = packets
        self.octets = octets
    }
}
