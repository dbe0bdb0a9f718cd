import SIPCore

/// The flows of one call's dialogs: the one over which the call was set up, and those over which its requests went
/// since.
///
/// A sender at another flow is not the far end, even if it has read messages of the dialog. Our own requests follow the
/// dialog's Contact and Route (RFC 3261 §12.2.1.1), so the far end may send over their flows, too.
struct DialogPath: Equatable, Sendable {
    /// The most flows that are remembered; the oldest one is forgotten.
    private static let limit = 4

    private(set) var flows: [Flow] = []

    init(_ flow: Flow) { flows = [flow] }

    mutating func add(_ flow: Flow) {
        flows.removeAll { $0.leads(as: flow) }
        flows = (flows + [flow]).suffix(Self.limit)
    }

    func includes(_ flow: Flow) -> Bool { flows.contains { $0.leads(as: flow) } }
}
