import SIPCore

/// The purpose of our request, which decides where its responses go.
package enum Purpose: Equatable, Sendable {
    case invite(CallID)
    case reinvite(CallID)
    /// An UPDATE that refreshes a session.
    case update(CallID)
    /// A PRACK to one of the far ends that ring, by its tag.
    case prack(CallID, tag: String)
    case bye(CallID)
    /// An INFO with a digit.
    case info(CallID)
    /// The BYE of a dialog that we do not want, as with a second phone that answered a forked call.
    case strayBye
    /// A REFER, in the dialog of the leg that is to be transferred.
    case refer(CallID)
    /// A NOTIFY that reports to the far end of this leg how the call goes that it requested.
    case notify(CallID)
    case subscribe(SubscriptionTarget)
    /// The BYE of a dialog of an earlier process.
    case orphanBye(UInt32)
    /// A REGISTER for one flow.
    case register(RegisteredFlow.Number)
    case unregister(RegisteredFlow.Number)
    /// An OPTIONS that keeps a flow.
    case options(RegisteredFlow.Number)
}

extension Purpose {
    /// The leg of a request whose responses identify its far end (RFC 5876 §3).
    var identifies: CallID? {
        switch self {
        case .invite(let leg), .reinvite(let leg), .update(let leg): leg
        case .prack, .bye, .info, .strayBye, .refer, .notify, .subscribe, .orphanBye, .register, .unregister, .options:
            nil
        }
    }
}

/// Why our request has no final response.
package enum Silence: Equatable, Sendable {
    /// 64·T1 passed without a response, which counts as 408 (RFC 3261 §8.1.3.1).
    case silent
    /// The request could not be sent now, which counts as 503 (RFC 3261 §8.1.3.1).
    case unsent
}

/// Our request that may still get a response.
struct SentRequest: Sendable {
    var purpose: Purpose
    /// The request as it was sent, without Via.
    var request: SIPRequest
    var flow: Flow
    /// The flow that the request would have taken if it fitted into a datagram.
    var datagramFlow: Flow?
    /// How often it was challenged.
    var challenges = 0
    /// Whether this is the probe that finds out if the server itself sent the challenge before it.
    var isProbe = false
    /// How often it was sent again because of the far end's answer.
    var repetitions = 0
    /// Whether a later re-INVITE replaced it, because its path is gone.
    var isSuperseded = false
    /// The ACK of each 2xx by the far end's tag. Nil until its hop is located.
    var acknowledgements: [String: TransactionLayer.Effect?] = [:]

    /// The limit for a server that challenges without end.
    static let challengeLimit = 3
    /// The limit for a far end that demands other terms again and again.
    static let repetitionLimit = 6
}

/// A request that is sent when its hop is located.
package struct Waiting: Sendable {
    package enum Matter: Sendable {
        case invite(CallID)
        case request(SIPRequest, Purpose)
        case acknowledgement(SIPRequest, of: ClientTransactionID, tag: String)
        case register(RegisteredFlow.Number)
        /// A change of a call. Its offer names our address on the located flow.
        case change(CallID)
        case orphanBye(UInt32)
        case subscribe(SubscriptionTarget)

        /// Whether it belongs to this BYE, whose time is over.
        package func isOrphanBye(_ number: UInt32) -> Bool {
            switch self {
            case .orphanBye(number), .request(_, .orphanBye(number)): true
            case .invite, .request, .acknowledgement, .register, .change, .orphanBye, .subscribe: false
            }
        }

        /// Whether it is a SUBSCRIBE for this target, which is about to be sent again.
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
