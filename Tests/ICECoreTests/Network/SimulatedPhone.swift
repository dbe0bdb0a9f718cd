import Base
import ICECore

/// An agent with its sockets in a realm, and what it was told and told.
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
    /// When there was a first path, and when both had agreed.
    private(set) var firstPathAt: Instant?
    private(set) var agreedAt: Instant?
    var heard: [[UInt8]] = []
    var resolves: [String] = []
    /// When another path was said to be worth looking for.
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
