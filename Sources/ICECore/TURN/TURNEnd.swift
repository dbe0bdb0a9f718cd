/// Why a TURN client has lost its allocation, or never got one.
public enum TURNEnd: Equatable, Sendable {
    /// Asked for by the owner.
    case closed
    /// The server does not answer.
    case silent
    /// The connection to the server is gone.
    case transportLost
    /// The server does not accept the credentials, or its challenge is untrustworthy: 401, 441, or too many 438.
    case unauthorized
    /// The server redirects us to another server (300). That one is not configured, and would get the credentials.
    case redirected
    /// The server knows our address for another allocation (437) that cannot be given back, or no longer knows ours.
    case mismatch
    /// The user has too many allocations (486).
    case quotaReached
    /// The server is full (508).
    case insufficientCapacity
    /// Any other failure, with its code.
    case refused(Int)
    /// The server granted something unusable: no relayed address, or a lifetime of zero.
    case malformed
}
