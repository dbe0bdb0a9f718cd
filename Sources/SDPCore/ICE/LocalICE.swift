/// The candidates of this phone, and whether an offer says so.
public struct LocalICE: Equatable, Sendable {
    /// When ICE is done.
    public enum Use: Equatable, Sendable {
        /// ICE is done in answers to far ends that do it.
        case whenOffered
        case always
        /// Always, and through a server at this address only, which hides our own. Whoever does not do it is refused.
        case relayed(PacketAddress)
    }

    public var description: ICEDescription
    public var use: Use

    public init(_ description: ICEDescription, use: Use) {
        self.description = description
        self.use = use
    }

    var isOffered: Bool { use != .whenOffered }

    /// The only address that the far end may learn. Nil: any.
    var onlyAddress: PacketAddress? { if case .relayed(let address) = use { address } else { nil } }
}
