/// The loss to expect on our outgoing stream, according to the far end's reports (RFC 3550 §6.4.1).
///
/// A report covers about five seconds, in which even a lossy link may lose nothing. So a higher loss is accepted at
/// once, while each report of a lower loss reduces the value by 30 % at most. After a loss of 5 % it takes four reports
/// to reach 0.
public struct ExpectedLoss: Sendable {
    /// 0...100, in whole percent. A loss below one percent counts as 0.
    public private(set) var percent = 0

    public init() {}

    /// - Parameter fractionLost: The fraction lost of a report block, in 1/256.
    public mutating func learn(fractionLost: UInt8) { percent = max(Int(fractionLost) * 100 / 256, percent * 7 / 10) }
}

/// What a sender does about the loss that it expects on its path.
public enum LossResponse: Equatable, Sendable {
    case none
    /// Packets repeat the content of earlier packets, at the cost of a higher bit rate.
    case repair
    /// The loss is so high that our own stream overloads the path (RFC 8083 §4.3). The sender must lower its bit rate.
    case relieve

    /// - Parameter percent: 0...100, as in `ExpectedLoss`.
    public init(expecting percent: Int) {
        switch percent {
        case ...0: self = .none
        case ..<25: self = .repair
        default: self = .relieve
        }
    }
}
