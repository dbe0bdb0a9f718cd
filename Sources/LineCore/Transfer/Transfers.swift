import Base
import SIPCore

/// The transfers that we requested from far ends, each until its result is known (RFC 3515, RFC 5589).
package struct Transfers: Sendable {
    package enum Effect: Equatable, Sendable {
        /// Whether the far end accepted the transfer.
        case settled(CallID, accepted: Bool)
        /// The result of the transfer.
        case ended(CallID, succeeded: Bool)
    }

    private var transfers: [CallID: Transfer] = [:]
    /// When a far end has taken too long to report on its transfer.
    private var timers = DeadlineTable<CallID>()

    package init() {}

    package var deadline: Instant? { timers.earliest }

    package mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let leg = timers.popDue(at: now) { effects += end(leg, succeeded: false) }
        return effects
    }

    package func isUnderWay(in leg: CallID) -> Bool { transfers[leg] != nil }

    /// - Parameter sequence: The CSeq of the REFER.
    package mutating func begin(in leg: CallID, sequence: UInt32) { transfers[leg] = Transfer(sequences: [sequence]) }

    /// Records a REFER that was sent again after a challenge.
    package mutating func repeated(in leg: CallID, sequence: UInt32) { transfers[leg]?.sequences.append(sequence) }

    /// Drops the transfer of a leg that is over.
    package mutating func forget(_ leg: CallID) {
        timers.cancel(leg)
        transfers[leg] = nil
    }

    // MARK: Responses and NOTIFY

    /// Handles a 2xx to the REFER.
    /// - Parameter limit: How long the far end may take to send the first NOTIFY.
    package mutating func accepted(_ response: SIPResponse, in leg: CallID, within limit: Duration, at now: Instant)
        -> [Effect]
    {
        let accepted = accepted(in: leg, within: limit, at: now)
        // No NOTIFY will come (RFC 4488 §4), so the acceptance counts as success.
        guard (try? response.headers.referSub)??.isWanted == false else { return accepted }
        return accepted + end(leg, succeeded: true)
    }

    private mutating func accepted(in leg: CallID, within limit: Duration, at now: Instant) -> [Effect] {
        guard transfers[leg]?.stage == .asking else { return [] }
        transfers[leg]?.stage = .underWay
        timers.set(leg, at: now + limit)
        return [.settled(leg, accepted: true)]
    }

    /// Handles a REFER that was refused, or that got no response.
    package mutating func failed(in leg: CallID) -> [Effect] {
        // If a NOTIFY came before, it counts more than a missing response (RFC 6665 §4.1.2.4).
        guard transfers[leg]?.stage == .asking else { return [] }
        transfers[leg] = nil
        return [.settled(leg, accepted: false)]
    }

    /// Handles a NOTIFY: the far end's report on the call that we asked it to make.
    /// - Returns: The effects after its 200.
    package mutating func notified(_ request: SIPRequest, in leg: CallID, within limit: Duration, at now: Instant)
        throws(RequestRefusal)
        -> [Effect]
    {
        let (event, state): (SIPEvent?, SubscriptionState)
        do throws(SIPParseError) {
            event = try request.headers.event
            state = try request.headers.stateOfSubscription
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard let transfer = transfers[leg], transfer.isMeant(by: event?.id) else {
            throw RequestRefusal(.callDoesNotExist)
        }
        let status = try Self.status(in: request)
        let accepted = accepted(in: leg, within: limit, at: now)
        if let status, status.isFinal { return accepted + end(leg, succeeded: status.isSuccess) }
        // The far end does not report the result. The transfer counts as failed, so that the call that is still up is
        // not given up.
        if state.phase == .terminated { return accepted + end(leg, succeeded: false) }
        let lasts = state.expires.map { min(.seconds(Int64($0)), Transfer.longest) } ?? Transfer.usual
        timers.set(leg, at: now + lasts)
        return accepted
    }

    private static func status(in request: SIPRequest) throws(RequestRefusal) -> SIPStatus? {
        guard !request.body.isEmpty else { return nil }
        let type = (try? request.headers.contentType) ?? .sipFragment
        guard type.name == MediaType.sipFragment.name else {
            throw .unsupportedMediaType(accepting: [MediaType.sipFragment.name])
        }
        do throws(SIPParseError) { return try SIPFragment(request.body).status } catch {
            throw RequestRefusal(.badRequest)
        }
    }

    /// Ends a transfer: its result is known, or no more reports will come.
    private mutating func end(_ leg: CallID, succeeded: Bool) -> [Effect] {
        guard transfers.removeValue(forKey: leg) != nil else { return [] }
        timers.cancel(leg)
        return [.ended(leg, succeeded: succeeded)]
    }
}

/// A transfer: we asked a far end to call another party (RFC 3515), and do not know the result yet.
struct Transfer: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
        /// REFER was sent.
        case asking
        /// The far end accepted it, and reports on the call.
        case underWay
    }

    static let package = "refer"
    /// The longest time between two NOTIFYs, even if the far end names a longer one.
    static let longest: Duration = .seconds(300)
    /// The time until the next NOTIFY, if the far end does not name one.
    static let usual: Duration = .seconds(60)

    var stage = Stage.asking
    /// The CSeq of each REFER, including challenged ones. The event's id names one of them (RFC 3515 §2.4.6).
    var sequences: [UInt32]

    /// Whether an event belongs to this transfer. The event of the first REFER of a dialog may have no id.
    func isMeant(by id: String?) -> Bool { id.map { id in sequences.contains { "\($0)" == id } } ?? true }
}
