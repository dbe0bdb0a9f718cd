import SIPCore

/// One subscription of ours, from its first request until it is given up (RFC 6665 §4.1).
///
///     off ─begin─► asking ─2xx, NOTIFY─► active ─refresh─► active …
///                    │ refused for good     │ terminated, 481, silence
///                    ▼                      ▼
///                 refused               pausing ─► asking
struct Subscription: Sendable {
    enum Phase: Equatable, Sendable {
        case off
        /// SUBSCRIBE is out, or its NOTIFY has not come.
        case asking
        case active
        /// Another attempt is due.
        case pausing
        /// The server does not do this. Asked again when the line registers anew.
        case refused
    }

    /// Seconds to ask for.
    static let expires: UInt32 = 600
    /// Seconds after the first attempt that failed.
    static let firstPause: Int64 = 4

    let target: SubscriptionTarget
    var phase = Phase.off
    /// Ours of this attempt: one Call-ID and tag each.
    var callID = ""
    var tag = ""
    /// What the server wants at least, once it has said so.
    var minimumExpires: UInt32 = 0
    /// The server's tag: of several that a fork makes only the first one counts (RFC 6665 §4.4.1).
    var remoteTag: String?
    var dialog: Dialog?
    /// The way on which it was asked.
    var flow: Flow?
    /// A SUBSCRIBE has no final response.
    var isOut = false
    /// The CSeq of the last NOTIFY.
    var sequence: UInt32?
    /// Attempts in a row that failed.
    var failures = 0
    var calls = WatchedCalls()
    /// What was told last.
    var told = WatchedState.unknown

    init(_ target: SubscriptionTarget) { self.target = target }

    /// A new attempt, in a dialog of its own.
    mutating func begin(callID: String, tag: String) {
        (self.callID, self.tag) = (callID, tag)
        (remoteTag, dialog, sequence) = (nil, nil, nil)
        isOut = false
        calls = WatchedCalls()
        phase = .asking
    }

    /// Whether a NOTIFY is for this one, and so may name the server's tag.
    func isMeant(by dialog: Dialog.ID) -> Bool {
        guard phase == .asking || phase == .active else { return false }
        return dialog.callID == callID && dialog.localTag == tag && remoteTag.map { $0 == dialog.remoteTag } ?? true
    }

    /// Writes what every SUBSCRIBE says.
    /// - Parameter expires: Seconds; 0 ends the subscription.
    func complete(_ request: inout SIPRequest, expires: UInt32, over flow: Flow, in context: LineContext) {
        request.headers.set(.contact, context.contact(on: flow))
        request.headers.set(.event, SIPEvent(target.package, id: nil))
        request.headers[.accept] = target.mediaType
        request.headers.set(.expires, SIPNumber(expires == 0 ? 0 : max(expires, minimumExpires)))
        request.headers[.userAgent] = context.configuration.userAgent
    }

    /// Takes the Contact of a NOTIFY (RFC 3261 §12.2.2).
    mutating func refreshTarget(by request: SIPRequest) {
        do throws(Dialog.Fault) { try dialog?.receive(request) } catch {
            // Its order was judged already; a Contact that means nothing leaves the old one.
        }
    }
}
