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
    var follower: LegID?
    /// The current status of the call, and the last reported one.
    var news = SIPStatus.trying
    var said: SIPStatus?
    /// Whether a NOTIFY is outstanding. The next one waits, so that the order is kept.
    var isSaying = false
    /// The end with which we hang up if the referrer does not.
    var bye: LegEnd?

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
