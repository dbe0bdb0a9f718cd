/// How much of what we send will be lost, by what the far end reports (RFC 3550 §6.4.1).
///
/// A report tells of some five seconds, in which a link that loses may have lost nothing. So a report is believed at once
/// when it says more than before, and given up by 30 % with each one that says less: after 5 % lost it takes four reports.
public struct ExpectedLoss: Sendable {
    /// 0...100, whole percents. A loss of less than one is none.
    public private(set) var percent = 0

    public init() {}

    /// - Parameter fractionLost: Of a report block, in 256ths.
    public mutating func learn(fractionLost: UInt8) { percent = max(Int(fractionLost) * 100 / 256, percent * 7 / 10) }
}
