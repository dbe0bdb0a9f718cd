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
        /// SUBSCRIBE was sent or waits for its hop, or its NOTIFY has not come.
        case asking
        case active
        /// The last attempt failed. The next one waits for its time.
        case pausing
        /// The server does not support this. It is asked again when the line registers anew.
        case refused
    }

    /// The time to ask for, in seconds.
    static let expires: UInt32 = 600
    /// The longest pause after the first failed attempt, in seconds.
    static let firstPause: Int64 = 4

    let target: SubscriptionTarget
    var phase = Phase.off
    /// Our Call-ID and tag. Each attempt has its own.
    var callID = ""
    var tag = ""
    /// The shortest time that the server accepts, in seconds, once it has said so.
    var minimumExpires: UInt32 = 0
    /// The server's tag. If a fork creates several, only the first one counts (RFC 6665 §4.4.1).
    var remoteTag: String?
    var dialog: Dialog?
    /// The flow over which the SUBSCRIBE was sent.
    var flow: Flow?
    /// Whether a SUBSCRIBE has no final response yet.
    var isOut = false
    /// The CSeq of the last NOTIFY.
    var sequence: UInt32?
    /// The CSeq of the last NOTIFY that was refused because it did not come in order.
    private var refused: UInt32?
    /// Whether the server counts anew, as one that was restarted does: NOTIFYs come in an order of their own.
    private(set) var isCountedAnew = false
    /// For how long the server keeps the subscription, in seconds.
    var granted: UInt32?
    /// Consecutive attempts that failed.
    var failures = 0
    var calls = WatchedCalls()
    /// The state that was reported last.
    var told = WatchedState.unknown

    init(_ target: SubscriptionTarget) { self.target = target }

    /// Begins a new attempt, in a dialog of its own.
    mutating func begin(callID: String, tag: String) {
        (self.callID, self.tag) = (callID, tag)
        (remoteTag, dialog, sequence) = (nil, nil, nil)
        (refused, isCountedAnew, granted) = (nil, false, nil)
        isOut = false
        calls = WatchedCalls()
        phase = .asking
    }

    /// Takes the CSeq of a NOTIFY.
    /// - Returns: Whether it is in order. One that was overtaken on the way comes alone. A second one that follows the
    ///   first shows that the server counts anew.
    mutating func takesInOrder(_ number: UInt32) -> Bool {
        guard let last = sequence, number <= last else {
            (sequence, refused) = (number, nil)
            return true
        }
        isCountedAnew = refused.map { $0 <= number } ?? false
        refused = number
        return false
    }

    /// Whether a NOTIFY belongs to this subscription, and so may set the server's tag.
    func isMeant(by dialog: Dialog.ID) -> Bool {
        guard phase == .asking || phase == .active else { return false }
        return dialog.callID == callID && dialog.localTag == tag && remoteTag.map { $0 == dialog.remoteTag } ?? true
    }

    /// Writes the headers that every SUBSCRIBE has.
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
            // The order of the NOTIFY was checked before. If its Contact is malformed, the old one remains.
        }
    }
}
