import SIPCore

/// What a request of ours is for, and so who hears of its responses.
enum Purpose: Equatable, Sendable {
    case invite(LegID)
    case reinvite(LegID)
    case bye(LegID)
    /// The BYE of a dialog that we never wanted: a second phone that answered a forked call.
    case strayBye
    case register
    case unregister
}

/// A request of ours that is out.
struct SentRequest: Sendable {
    var purpose: Purpose
    /// As it was sent, without Via.
    var request: SIPRequest
    var flow: Flow
    /// How often it was challenged.
    var challenges = 0
    /// The ACK of each 2xx by the far end's tag; nil until the way to it is known.
    var acknowledgements: [String: TransactionLayer.Effect?] = [:]

    /// A server that challenges without end is given up.
    static let challengeLimit = 3
}

/// Something that goes out when the way to its hop is known.
struct Waiting: Sendable {
    enum Matter: Sendable {
        case place(LegID)
        case request(SIPRequest, Purpose)
        case acknowledgement(SIPRequest, of: ClientTransactionID, tag: String)
        case register
    }

    var hop: Hop
    var matter: Matter
}
