import SIPCore

/// The flows over which the account's server reaches us, by their numbers (RFC 5626 §4.2).
struct RegisteredFlows: Equatable, Sendable {
    /// RFC 5626 §4.2.1 asks for two flows if they can go to two places. One phone has no use for more.
    static let limit = 2

    private(set) var all: [RegisteredFlow] = []

    subscript(number: RegisteredFlow.Number) -> RegisteredFlow? {
        get { all.first { $0.number == number } }
        set {
            all.removeAll { $0.number == number }
            if let newValue { all = (all + [newValue]).sorted { $0.number < $1.number } }
        }
    }

    /// The flows over which the server knows us. Our requests take the first one.
    var living: [Flow] { all.compactMap(\.living) }

    var isLeaving: Bool { all.contains { $0.phase == .leaving } }

    /// The number of the next flow. Nil at the limit.
    var vacancy: RegisteredFlow.Number? {
        all.count < Self.limit ? (1...).first { self[$0] == nil } : nil
    }

    func others(than number: RegisteredFlow.Number) -> [RegisteredFlow] { all.filter { $0.number != number } }

    /// Whether no other flow lives.
    func isAlone(_ number: RegisteredFlow.Number) -> Bool { others(than: number).allSatisfy { $0.living == nil } }

    /// Whether a flow may go to this place. It must lead to another host than the others, because two flows to one
    /// server die together. It must use the transport of the others, so that TLS traffic does not also go in clear.
    func mayTake(_ flow: Flow, _ number: RegisteredFlow.Number) -> Bool {
        others(than: number).compactMap(\.place).allSatisfy {
            $0.remote.host != flow.remote.host && $0.transport == flow.transport
        }
    }

    /// The route of a request that takes this flow.
    func serviceRoutes(over flow: Flow) -> [NameAddress] {
        (all.first { $0.flow?.remote == flow.remote } ?? all.first { $0.living != nil })?.serviceRoutes ?? []
    }
}
