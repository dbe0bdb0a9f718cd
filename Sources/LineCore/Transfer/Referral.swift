import SIPCore

/// A call that a far end asked us to make (RFC 3515), until that far end has heard what became of it.
///
///     asked ─follow─► on its way ─progress─► told of each step ─► over
///       └──decline, or nobody follows───────────────────────────►┘
struct Referral: Sendable {
    /// Whom to call, without the part of the URI that becomes headers.
    let target: URI
    /// Whose place the call takes, and who asked for it: what its INVITE says besides.
    let replaces: Replaces?
    let referredBy: NameAddress?
    /// The CSeq of the REFER, by which its event is named (RFC 3515 §2.4.6).
    let sequence: UInt32
    /// In which it is told; nil: in the call's own. Whoever asked outside of the call opened it so.
    var dialog: Dialog?
    /// Somebody wants to hear of it (RFC 4488), and has not stopped listening.
    var isTold: Bool
    /// The leg that was placed for it.
    var follower: LegID?
    /// How it stands, and what of that was said.
    var news = SIPStatus.trying
    var said: SIPStatus?
    /// A NOTIFY is out; the next one waits, so that none overtakes another.
    var isSaying = false
    /// We hang up by ourselves, if the referrer does not.
    var bye: LegEnd?

    /// Seconds for which we tell at most.
    static let expires: UInt32 = 180
    /// How long the referrer may take to hang up, once the call that it asked for is up.
    static let grace: Duration = .seconds(1)

    /// What the INVITE of the call says besides what any INVITE says.
    var headers: SIPHeaders {
        var headers = SIPHeaders()
        if let replaces { headers.set(.replaces, replaces) }
        if let referredBy { headers.set(.referredBy, referredBy) }
        return headers
    }

    /// Writes the news into a NOTIFY (RFC 3515 §2.4.4, §2.4.5).
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
