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
    /// What was told last.
    var told: LineRegistration?

    init(callID: String, tag: String) {
        self.callID = callID
        self.tag = tag
    }

    var isLeaving: Bool { phase == .leaving }
}
