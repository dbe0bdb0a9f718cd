import SIPCore

/// The flows of one call's dialogs: the one that set up the call, and those that its requests took since.
///
/// A sender at another flow is not the far end, even if it has read messages of the dialog. Our own requests follow the
/// dialog's Contact and Route (RFC 3261 §12.2.1.1), so the far end may send over their flows, too.
struct DialogFlows: Equatable, Sendable {
    /// The most flows that are remembered. A further one replaces the oldest.
    private static let limit = 4

    private(set) var flows: [Flow]
    /// Whether the call was set up over TLS, with or without a WebSocket in it.
    let isSecure: Bool
    /// Whether requests go to the account's server because the far end's own address did not answer.
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
    /// its offers and answers name its keys.
    /// TCP binds a call to nothing: a request may have used it only because it was too long for a datagram (RFC 3261
    /// §18.1.1).
    func allows(_ transport: Flow.Transport) -> Bool { !isSecure || transport.isSecure }

    func includes(_ flow: Flow) -> Bool { flows.contains { $0.leads(as: flow) } }
}
