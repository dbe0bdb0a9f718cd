/// The flow of a call's packets over the candidate pair that ICE selected.
struct MediaFlow: Equatable, Sendable {
    /// The far end's address. For a relayed call, its address as the server sees it.
    let remote: PeerAddress
    /// Our address from which packets leave. The far end sends to it.
    let local: PeerAddress
    /// Whether packets go through our TURN server. The connector wraps and unwraps them.
    let isRelayed: Bool
}
