import Base
import SIPCore

/// A far end's request for a call (RFC 3515), until that far end knows the result.
///
///     asked ─follow─► on its way ─progress─► each step reported ─► over
///       └──declined, or not followed in time────────────────────►┘
struct Referral: Sendable {
    /// The party to call, without the URI headers.
    let target: URI
    /// The call to replace, and the referrer. The INVITE names both.
    let replaces: Replaces?
    let referredBy: NameAddress?
    /// The CSeq of the REFER, which is the id of its event (RFC 3515 §2.4.6).
    let sequence: UInt32
    /// The dialog of our NOTIFYs, which a REFER outside the call has opened. Nil: the dialog of the call.
    var dialog: Dialog?
    /// Whether the far end wants our NOTIFYs (RFC 4488), and has not rejected one.
    var isTold: Bool
    /// The leg that the line's user dialled for this request.
    var follower: CallID?
    /// The current status of the call, and the last reported one.
    var news = SIPStatus.trying
    var said: SIPStatus?
    /// Whether a NOTIFY is outstanding. The next one waits, so that the order is kept.
    var isSaying = false
    /// The end with which we hang up if the referrer does not.
    var bye: EndReason?

    /// The expiry that our NOTIFYs name, in seconds.
    static let expires: UInt32 = 180
    /// How long the referrer may take to hang up, once the call that it requested is up.
    static let grace: Duration = .seconds(1)

    /// The headers to add to the usual ones of the call's INVITE.
    var headers: SIPHeaders {
        var headers = SIPHeaders()
        if let replaces { headers.set(.replaces, replaces) }
        if let referredBy { headers.set(.referredBy, referredBy) }
        return headers
    }

    /// Writes the current status into a NOTIFY (RFC 3515 §2.4.4, §2.4.5).
    func write(to request: inout SIPRequest) {
        request.headers.set(.event, SIPEvent(Transfer.package, id: "\(sequence)"))
        request.headers.set(
            .subscriptionState,
            news.isFinal
                ? SubscriptionState(.terminated, reason: .noresource)
                : SubscriptionState(.active, expires: Self.expires))
        request.headers.set(.contentType, MediaType.sipFragment)
        request.body = SIPFragment(news, phrase: nil).bytes
    }
}

/// The calls that far ends asked us to make, each until its far end knows the result (RFC 3515, RFC 4488).
struct Referrals: Sendable {
    enum Effect: Equatable, Sendable {
        /// Send a NOTIFY to the far end of this leg. `notification(for:in:contact:)` writes it.
        case notify(CallID)
        /// The far end had its time to hang up.
        case end(CallID, EndReason)
    }

    private var referrals: [CallID: Referral] = [:]
    /// Limits the wait for the line's user to decide, or for the far end to hang up.
    private var timers = DeadlineTable<CallID>()

    var deadline: Instant? { timers.earliest }

    mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let referrer = timers.popDue(at: now) { effects += due(referrer) }
        return effects
    }

    private mutating func due(_ referrer: CallID) -> [Effect] {
        guard let referral = referrals[referrer] else { return [] }
        guard let bye = referral.bye else { return decline(referrer) }
        referrals[referrer] = nil
        return [.end(referrer, bye)]
    }

    func isAsked(in leg: CallID) -> Bool { referrals[leg] != nil }

    /// Whether the REFER came outside the call's own dialog.
    func isOutside(_ leg: CallID) -> Bool { referrals[leg]?.dialog != nil }

    // MARK: From the REFER to the call

    /// - Parameter limit: How long the line's user may take to decide.
    mutating func begin(_ referral: Referral, in leg: CallID, within limit: Duration, at now: Instant) {
        referrals[leg] = referral
        timers.set(leg, at: now + limit)
    }

    /// Reports to the far end that its REFER is being processed.
    mutating func announce(_ leg: CallID) -> [Effect] { say(leg) }

    /// Records that the call is about to be dialled.
    /// - Returns: The referral. Nil if there is no referral, or if its call is already being dialled.
    mutating func follow(_ referrer: CallID, by leg: CallID) -> Referral? {
        guard let referral = referrals[referrer], referral.follower == nil else { return nil }
        referrals[referrer]?.follower = leg
        timers.cancel(referrer)
        return referral
    }

    mutating func decline(_ referrer: CallID) -> [Effect] {
        guard referrals[referrer]?.follower == nil else { return [] }
        return news(.decline, for: referrer)
    }

    /// Drops the decided referral of a leg that is over. An undecided one may still be followed, but without a NOTIFY.
    mutating func forget(_ leg: CallID) {
        guard let referral = referrals[leg], referral.follower != nil else { return }
        drop(leg)
    }

    /// Drops a referral without a NOTIFY, because the referrer has already hung up.
    mutating func drop(_ leg: CallID) {
        timers.cancel(leg)
        referrals[leg] = nil
    }

    /// Whether to give the far end some time to hang up first. This is so if the call that it requested is up, and a
    /// NOTIFY reports that.
    mutating func delays(_ end: EndReason, of leg: CallID, at now: Instant) -> Bool {
        guard let referral = referrals[leg], referral.isTold, referral.news.isSuccess, end == .hungUpHere else {
            return false
        }
        if referral.bye == nil {
            referrals[leg]?.bye = end
            timers.set(leg, at: now + Referral.grace)
        }
        return true
    }

    // MARK: NOTIFY

    /// Reports a call's new status to the referrer.
    mutating func progressed(_ leg: CallID, to status: SIPStatus) -> [Effect] {
        guard let referrer = referrals.first(where: { $0.value.follower == leg })?.key else { return [] }
        return news(status, for: referrer)
    }

    private mutating func news(_ status: SIPStatus, for referrer: CallID) -> [Effect] {
        guard let referral = referrals[referrer], !referral.news.isFinal else { return [] }
        referrals[referrer]?.news = status
        return say(referrer)
    }

    /// Reports the status, if the far end wants it and no NOTIFY is outstanding.
    private mutating func say(_ leg: CallID) -> [Effect] {
        guard let referral = referrals[leg] else { return [] }
        if referral.isTold, !referral.isSaying, referral.said != referral.news { return [.notify(leg)] }
        settle(leg)
        return []
    }

    /// The NOTIFY with the current status.
    /// - Parameter dialog: The call's dialog, which carries the NOTIFY unless the REFER came outside of it.
    /// - Returns: Nil if there is nothing left to report.
    mutating func notification(
        for leg: CallID, in dialog: inout Dialog, contact: NameAddress
    ) -> (request: SIPRequest, dialog: Dialog)? {
        guard var referral = referrals[leg] else { return nil }
        var request: SIPRequest
        if var own = referral.dialog {
            request = own.request(.notify)
            referral.dialog = own
        } else {
            request = dialog.request(.notify)
        }
        referral.write(to: &request)
        request.headers.set(.contact, contact)
        (referral.said, referral.isSaying) = (referral.news, true)
        referrals[leg] = referral
        return (request, referral.dialog ?? dialog)
    }

    /// Handles the final response to the NOTIFY, or its failure. A far end that rejects one gets no more.
    mutating func said(in leg: CallID, isHeard: Bool) -> [Effect] {
        guard referrals[leg] != nil else { return [] }
        referrals[leg]?.isSaying = false
        if !isHeard { referrals[leg]?.isTold = false }
        return say(leg)
    }

    /// Drops a failed referral, to make room for the next one. A successful one stays until its leg ends, so that the
    /// far end cannot request another call.
    private mutating func settle(_ leg: CallID) {
        guard let referral = referrals[leg], referral.news.isFinal, !referral.news.isSuccess, !referral.isSaying else {
            return
        }
        drop(leg)
    }
}
