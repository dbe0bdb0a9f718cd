/// The spread of packet transit times, smoothed as a report block carries it: `J += (|D| - J) / 16`.
///
/// Feed each packet once, in arrival order. Held in sixteenths, the integer form of RFC 3550 §A.8.
/// Units: RTP ticks. Range: 0...2³²-1, saturating. Cost: O(1), no allocation.
public struct InterarrivalJitter: Equatable, Sendable {
    private var sixteenths: UInt64 = 0
    private var lastTransit: UInt32?

    public init() {}

    public var ticks: UInt32 { UInt32(clamping: sixteenths >> 4) }

    /// - Parameter arrival: Local receive time in RTP ticks from any fixed origin, modulo 2³².
    /// - Returns: The difference between this packet's transit time and the previous one's; nil for the first.
    @discardableResult
    @_noLocks
    public mutating func observe(arrival: UInt32, timestamp: UInt32) -> UInt32? {
        let transit = arrival &- timestamp
        defer { lastTransit = transit }
        guard let lastTransit else { return nil }
        let distance = Int32(bitPattern: transit &- lastTransit).magnitude
        sixteenths = sixteenths + UInt64(distance) - ((sixteenths + 8) >> 4)
        return distance
    }
}
