/// What a sender does about the loss that is to be expected of its path.
public enum LossResponse: Equatable, Sendable {
    case none
    /// Packets say again what their predecessors said, at the cost of more bits.
    case repair
    /// So much is lost that it is our own bits for which there is no room (RFC 8083 §4.3): fewer of them.
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
