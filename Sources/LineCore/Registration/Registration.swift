import Base
import SIPCore

/// What the account's server knows of us.
///
/// It knows us as long as one flow lives. Without any the line is not registered, and does not try to be.
struct Registration: Equatable, Sendable {
    /// RFC 5626 §4.2.1 asks for two where there are two places to go to, and more are of no more use to one phone.
    static let flowLimit = 2

    /// One Call-ID for as long as the line lives, with rising CSeq (RFC 3261 §10.2, §10.2.4), whichever flow it goes over.
    let callID: String
    let tag: String
    var sequence: UInt32 = 0
    /// By their numbers.
    private(set) var flows: [RegisteredFlow] = []
    /// What the server wants at least, once it has said so.
    var minimumExpires: UInt32 = 0
    /// Who the line is to be once it has left.
    var successor: LineCredentials?
    /// Whether the server may be asked to tell our flows apart; false once a proxy on the way refused (RFC 5626 §6).
    var asksForOutbound = true
    /// Whether it does.
    var isOutbound = false
    /// An address that reaches this phone through the server (RFC 5627).
    var gruu: URI?
    /// What was told last.
    var told: RegistrationState?

    init(callID: String, tag: String) {
        self.callID = callID
        self.tag = tag
    }

    subscript(number: RegisteredFlow.Number) -> RegisteredFlow? {
        get { flows.first { $0.number == number } }
        set {
            flows.removeAll { $0.number == number }
            if let newValue { flows = (flows + [newValue]).sorted { $0.number < $1.number } }
        }
    }

    /// Where the server knows us; the first one is where our requests go.
    var living: [Flow] { flows.compactMap(\.living) }

    var isLeaving: Bool { flows.contains { $0.phase == .leaving } }

    /// The number of the next flow; nil when there are enough.
    var vacancy: RegisteredFlow.Number? {
        flows.count < Self.flowLimit ? (1...).first { self[$0] == nil } : nil
    }

    func others(than number: RegisteredFlow.Number) -> [RegisteredFlow] { flows.filter { $0.number != number } }

    /// No other flow lives.
    func isAlone(_ number: RegisteredFlow.Number) -> Bool { others(than: number).allSatisfy { $0.living == nil } }

    /// Whether a flow may lead there: to another host than the others do, because two flows to one server die together;
    /// and by the transport of the others, so that what goes over TLS is not said in clear beside it.
    func mayTake(_ way: Flow, _ number: RegisteredFlow.Number) -> Bool {
        others(than: number).compactMap(\.place).allSatisfy {
            $0.remote.host != way.remote.host && $0.transport == way.transport
        }
    }

    /// The way that a request takes behind a flow.
    func serviceRoutes(over flow: Flow) -> [NameAddress] {
        (flows.first { $0.flow?.remote == flow.remote } ?? flows.first { $0.living != nil })?.serviceRoutes ?? []
    }
}
