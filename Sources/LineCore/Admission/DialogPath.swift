import SIPCore

/// The flows of one call's dialogs: the one over which it was set up, and those over which its requests went since.
///
/// Whoever speaks in the dialog from elsewhere is not its far end, whatever he has read of its messages. Our own requests
/// follow the dialog's Contact and Route (RFC 3261 §12.2.1.1), so a far end that comes from there comes from here.
struct DialogPath: Equatable, Sendable {
    /// Flows that are remembered; the oldest one is forgotten.
    private static let limit = 4

    private(set) var flows: [Flow] = []

    init(_ flow: Flow) { flows = [flow] }

    mutating func add(_ flow: Flow) {
        flows.removeAll { $0.leads(as: flow) }
        flows = (flows + [flow]).suffix(Self.limit)
    }

    func includes(_ flow: Flow) -> Bool { flows.contains { $0.leads(as: flow) } }
}
