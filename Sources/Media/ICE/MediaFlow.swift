/// The flow of a call's packets, over the pair that ICE has found.
struct MediaFlow: Equatable, Sendable {
    /// The far end, or for a relayed call the far end as the server sees it.
    let remote: PeerAddress
    /// Our address from which packets leave. The far end sends to it.
    let local: PeerAddress
    /// Whether packets go through a server of ours. The connector wraps and unwraps them.
    let isRelayed: Bool
}
