import Base
import SIPCore

/// Calls that far ends asked us to make, each until its far end has heard what became of it (RFC 3515, RFC 4488).
struct Referrals: Sendable {
    enum Effect: Equatable, Sendable {
        /// There is news for the far end of this leg; `notification(for:in:contact:)` says it.
        case notify(LegID)
        /// The far end had its moment to hang up.
        case end(LegID, LegEnd)
    }

    private var referrals: [LegID: Referral] = [:]
    /// When nobody took up what the far end asked, or the far end does not hang up after it.
    private var timers = DeadlineTable<LegID>()

    var deadline: Instant? { timers.earliest }

    mutating func deadlineReached(at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        while let referrer = timers.popDue(at: now) { effects += due(referrer) }
        return effects
    }

    private mutating func due(_ referrer: LegID) -> [Effect] {
        guard let referral = referrals[referrer] else { return [] }
        guard let bye = referral.bye else { return decline(referrer) }
        referrals[referrer] = nil
        return [.end(referrer, bye)]
    }

    func isAsked(in leg: LegID) -> Bool { referrals[leg] != nil }

    /// Whether it was asked outside of the call's own dialog.
    func isOutside(_ leg: LegID) -> Bool { referrals[leg]?.dialog != nil }

    // MARK: From the asking to the call

    /// - Parameter limit: How long the line's user may think about it.
    mutating func begin(_ referral: Referral, in leg: LegID, within limit: Duration, at now: Instant) {
        referrals[leg] = referral
        timers.set(leg, at: now + limit)
    }

    /// The far end hears that we are at it.
    mutating func announce(_ leg: LegID) -> [Effect] { say(leg) }

    /// The call is about to be made.
    /// - Returns: What was asked; nil when nothing was, or when somebody makes the call already.
    mutating func follow(_ referrer: LegID, by leg: LegID) -> Referral? {
        guard let referral = referrals[referrer], referral.follower == nil else { return nil }
        referrals[referrer]?.follower = leg
        timers.cancel(referrer)
        return referral
    }

    mutating func decline(_ referrer: LegID) -> [Effect] {
        guard referrals[referrer]?.follower == nil else { return [] }
        return news(.decline, for: referrer)
    }

    /// A leg is over. What was asked of us in it may still be done, though nobody is told.
    mutating func forget(_ leg: LegID) {
        guard let referral = referrals[leg], referral.follower != nil else { return }
        drop(leg)
    }

    /// Whoever asked has hung up already: there is nobody to tell.
    mutating func drop(_ leg: LegID) {
        timers.cancel(leg)
        referrals[leg] = nil
    }

    /// Whether the far end is given a moment to hang up first: the call that it asked for is up, and it is being told.
    mutating func delays(_ end: LegEnd, of leg: LegID, at now: Instant) -> Bool {
        guard let referral = referrals[leg], referral.isTold, referral.news.isSuccess, end == .hungUpHere else {
            return false
        }
        if referral.bye == nil {
            referrals[leg]?.bye = end
            timers.set(leg, at: now + Referral.grace)
        }
        return true
    }

    // MARK: Telling

    /// A call has come so far; whoever asked for it hears of it.
    mutating func progressed(_ leg: LegID, to status: SIPStatus) -> [Effect] {
        guard let referrer = referrals.first(where: { $0.value.follower == leg })?.key else { return [] }
        return news(status, for: referrer)
    }

    private mutating func news(_ status: SIPStatus, for referrer: LegID) -> [Effect] {
        guard let referral = referrals[referrer], !referral.news.isFinal else { return [] }
        referrals[referrer]?.news = status
        return say(referrer)
    }

    /// Says the news, if there is somebody who wants to hear it and who is not hearing the last one just now.
    private mutating func say(_ leg: LegID) -> [Effect] {
        guard let referral = referrals[leg] else { return [] }
        if referral.isTold, !referral.isSaying, referral.said != referral.news { return [.notify(leg)] }
        settle(leg)
        return []
    }

    /// The NOTIFY that says the news.
    /// - Parameter dialog: Of the call, in which it goes unless it was asked outside of it.
    /// - Returns: Nil when there is nothing to say any more.
    mutating func notification(
        for leg: LegID, in dialog: inout Dialog, contact: NameAddress
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

    /// The NOTIFY was answered, or cannot be sent. Whoever does not take one gets no other.
    mutating func said(in leg: LegID, isHeard: Bool) -> [Effect] {
        guard referrals[leg] != nil else { return [] }
        referrals[leg]?.isSaying = false
        if !isHeard { referrals[leg]?.isTold = false }
        return say(leg)
    }

    /// One that failed makes room for the next one. One that succeeded stays until its leg ends: there is nobody left to
    /// be called by it.
    private mutating func settle(_ leg: LegID) {
        guard let referral = referrals[leg], referral.news.isFinal, !referral.news.isSuccess, !referral.isSaying else {
            return
        }
        drop(leg)
    }
}
