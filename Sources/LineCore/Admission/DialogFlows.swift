import SIPCore

/// The flows of one call's dialogs: the one over which the call was set up, and those over which its requests went
/// since.
///
/// A sender at another flow is not the far end, even if it has read messages of the dialog. Our own requests follow the
/// dialog's Contact and Route (RFC 3261 §12.2.1.1), so the far end may send over their flows, too.
struct DialogFlows: Equatable, Sendable {
    /// The most flows that are remembered; the oldest one is forgotten.
    private static let limit = 4

    private(set) var flows: [Flow]
    /// Whether the call was set up over TLS, with or without a WebSocket in it.
    let isSecure: Bool
    /// Whether the far end was not reached at its own address, so that requests go to the account's server.
    var goesThroughServer = false

    init(_ flow: Flow) {
        flows = [flow]
        isSecure = flow.transport.isSecure
    }

    mutating func add(_ flow: Flow) {
        flows.removeAll { $0.leads(as: flow) }
        flows = (flows + [flow]).suffix(Self.limit)
    }

    /// Whether the call's messages may take this transport. A call that was set up over TLS takes no other one, because
    /// its offers and answers name its keys. TCP binds to nothing: it may have carried what was too long for a datagram
    /// (RFC 3261 §18.1.1).
    func allows(_ transport: Flow.Transport) -> Bool { !isSecure || transport.isSecure }

    func includes(_ flow: Flow) -> Bool { flows.contains { $0.leads(as: flow) } }
}
