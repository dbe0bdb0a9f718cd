import SIPCore

/// What a request of ours is for, and so who hears of its responses.
package enum Purpose: Equatable, Sendable {
    case invite(LegID)
    case reinvite(LegID)
    /// UPDATE that refreshes a session.
    case update(LegID)
    /// To one of the far ends that ring, by its tag.
    case prack(LegID, tag: String)
    case bye(LegID)
    /// A digit.
    case info(LegID)
    /// The BYE of a dialog that we never wanted: a second phone that answered a forked call.
    case strayBye
    /// A REFER, in the dialog of the leg that is to be transferred.
    case refer(LegID)
    /// Tells the far end of this leg how the call goes that it asked for.
    case notify(LegID)
    case subscribe(SubscriptionTarget)
    /// The BYE of a dialog of the process before.
    case orphanBye(UInt32)
    /// Of one flow.
    case register(RegisteredFlow.Number)
    case unregister(RegisteredFlow.Number)
}

/// Why a request of ours has no final response.
package enum Silence: Equatable, Sendable {
    /// 64·T1 passed: the far end is not there (RFC 3261 §8.1.3.1 calls it 408).
    case silent
    /// It could not be sent, now (503 there).
    case unsent
}

/// A request of ours that is out.
struct SentRequest: Sendable {
    var purpose: Purpose
    /// As it was sent, without Via.
    var request: SIPRequest
    var flow: Flow
    /// Where it was to go, had it not been too long for a datagram.
    var datagramFlow: Flow?
    /// How often it was challenged.
    var challenges = 0
    /// It asks the server whether the challenge before it was the server's own.
    var isProbe = false
    /// How often it was sent again because of what the far end answered.
    var repetitions = 0
    /// The ACK of each 2xx by the far end's tag; nil until the way to it is known.
    var acknowledgements: [String: TransactionLayer.Effect?] = [:]

    /// A server that challenges without end is given up.
    static let challengeLimit = 3
    /// A far end that always wants something else is given up.
    static let repetitionLimit = 6
}

/// Something that goes out when the way to its hop is known.
package struct Waiting: Sendable {
    package enum Matter: Sendable {
        case invite(LegID)
        case request(SIPRequest, Purpose)
        case acknowledgement(SIPRequest, of: ClientTransactionID, tag: String)
        case register(RegisteredFlow.Number)
        /// A change of a call, whose offer names the way as ours.
        case change(LegID)
        case orphanBye(UInt32)
        case subscribe(SubscriptionTarget)

        /// Whether it is about this BYE, whose time is over.
        package func isOrphanBye(_ number: UInt32) -> Bool {
            switch self {
            case .orphanBye(number), .request(_, .orphanBye(number)): true
            case .invite, .request, .acknowledgement, .register, .change, .orphanBye, .subscribe: false
            }
        }

        /// Whether it asks for this watch, which is asked for anew.
        package func isSubscribe(_ watch: SubscriptionTarget) -> Bool {
            switch self {
            case .subscribe(watch), .request(_, .subscribe(watch)): true
            case .invite, .request, .acknowledgement, .register, .change, .orphanBye, .subscribe: false
            }
        }

        package func registers(_ number: RegisteredFlow.Number) -> Bool {
            switch self {
            case .register(number): true
            case .invite, .request, .acknowledgement, .register, .change, .orphanBye, .subscribe: false
            }
        }
    }

    var hop: NextHop
    var matter: Matter
}
