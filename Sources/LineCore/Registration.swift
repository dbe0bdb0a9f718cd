import Base
import SIPCore

/// What the account's server knows of us.
struct Registration: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
        case off
        /// REGISTER is out, or on its way.
        case asking
        case registered
        /// Another attempt is due.
        case pausing
        /// Expires: 0 is out.
        case leaving
    }

    /// One Call-ID for as long as the line lives, with rising CSeq (RFC 3261 §10.2.4).
    let callID: String
    let tag: String
    var sequence: UInt32 = 0
    var phase = Phase.off
    /// What the server wants at least, once it has said so.
    var minimumExpires: UInt32 = 0
    /// Attempts in a row that failed.
    var failures = 0
    /// Who the line is to be once it has left.
    var successor: LineCredentials?
    /// Where the server was told that we are.
    var flow: Flow?
    /// Since when it knows us there; nil once that flow is broken.
    var since: Instant?
    /// Flows in a row that broke as soon as we were registered over them.
    var shortLives = 0
    /// Whether the server may be asked to tell our flows apart; false once a proxy on the way refused (RFC 5626 §6).
    var asksForOutbound = true
    /// Whether it does.
    var isOutbound = false
    /// The way that requests to the server take (RFC 3608).
    var serviceRoutes: [NameAddress] = []
    /// An address that reaches this phone through the server (RFC 5627).
    var gruu: URI?
    /// What was told last.
    var told: LineRegistration?

    init(callID: String, tag: String) {
        self.callID = callID
        self.tag = tag
    }

    /// Where the server knows us, as far as we know.
    var livingFlow: Flow? { since == nil ? nil : flow }

    var isLeaving: Bool { phase == .leaving }
}
