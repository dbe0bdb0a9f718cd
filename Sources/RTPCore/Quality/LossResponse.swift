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
