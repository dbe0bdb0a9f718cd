/// Why a TURN client has no allocation any more, or never got one.
public enum TURNEnd: Equatable, Sendable {
    /// Asked for by the owner.
    case closed
    /// The server does not answer.
    case silent
    /// The connection to the server is gone.
    case transportLost
    /// The server does not accept the credentials, or its challenge cannot be believed: 401, 441, or too many 438.
    case unauthorized
    /// The server wants us to go elsewhere (300). A server that somebody else named is not the one that was configured,
    /// and would get the credentials.
    case redirected
    /// The server knows our address for another allocation (437) that cannot be given back, or no longer knows ours.
    case mismatch
    /// The user has too many allocations (486).
    case quotaReached
    /// The server is full (508).
    case insufficientCapacity
    /// Any other failure, with its code.
    case refused(Int)
    /// The server granted what cannot be used: no relayed address, or a lifetime of nothing.
    case malformed
}
