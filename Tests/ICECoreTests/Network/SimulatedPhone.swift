import Base
import ICECore

/// An agent with its sockets in a realm, and its inputs and reports.
struct SimulatedPhone: Sendable {
    var agent: ICEAgent
    var realm: Int
    var sockets: [HostSocket] = []
    let isTrickling: Bool
    var hasSentDescription = false
    /// Whether a person has not decided yet.
    var isHoldingDescription = false
    var isOfferer = false
    var streams: Set<StreamID> = []

    private(set) var path: SelectedPair?
    private(set) var state = ICEState.new
    private(set) var states: [ICEState] = []
    /// The time of the first path, and of both ends' agreement.
    private(set) var firstPathAt: Instant?
    private(set) var agreedAt: Instant?
    var heard: [[UInt8]] = []
    var resolves: [String] = []
    /// The time at which another path was suggested.
    var advisedAt: [Instant] = []
    var relayEnds: [TURNEnd] = []
    var isClosed = false
    /// Bytes sent, by destination.
    var sent: [TransportAddress: Int] = [:]

    init(_ agent: ICEAgent, realm: Int, isTrickling: Bool) {
        (self.agent, self.realm, self.isTrickling) = (agent, realm, isTrickling)
    }

    mutating func note(_ path: SelectedPair?, at now: Instant) {
        self.path = path
        if path != nil { firstPathAt = firstPathAt ?? now }
        if path?.isNominated ?? false { agreedAt = agreedAt ?? now }
    }

    mutating func note(_ state: ICEState) {
        self.state = state
        states.append(state)
    }

    /// A new measurement begins.
    mutating func forgetTimes() { (firstPathAt, agreedAt) = (nil, nil) }
}
