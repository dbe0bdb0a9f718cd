import SIPCore

/// Our subscription, from its first request until it is given up (RFC 6665 §4.1).
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
        /// The last attempt failed. The next one waits for its deadline.
        case pausing
        /// The server does not support this. The line asks again after its next registration.
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
    /// The shortest time that the server accepts, in seconds, once it has named one.
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
    /// The CSeq of the last NOTIFY that was rejected as out of order.
    private var refused: UInt32?
    /// Whether the server has restarted its counting, as after its own restart: its NOTIFYs follow another sequence.
    private(set) var isCountedAnew = false
    /// How long the server keeps the subscription, in seconds.
    var granted: UInt32?
    /// Consecutive attempts that failed.
    var failures = 0
    var calls = WatchedCalls()
    /// The last reported state.
    var told = WatchedState.unknown

    init(_ target: SubscriptionTarget) { self.target = target }

    /// Begins a new attempt, in a new dialog.
    mutating func begin(callID: String, tag: String) {
        (self.callID, self.tag) = (callID, tag)
        (remoteTag, dialog, sequence) = (nil, nil, nil)
        (refused, isCountedAnew, granted) = (nil, false, nil)
        isOut = false
        calls = WatchedCalls()
        phase = .asking
    }

    /// Checks the CSeq of a NOTIFY.
    /// - Returns: Whether it is in order. A single old number means that the NOTIFY was overtaken on the way. Two old
    ///   numbers in rising order show that the server has restarted its counting.
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

    /// Updates our target from the Contact of a NOTIFY (RFC 3261 §12.2.2).
    mutating func refreshTarget(by request: SIPRequest) {
        do throws(Dialog.Fault) { try dialog?.receive(request) } catch {
            // The order of the NOTIFY is already checked. If its Contact is malformed, the old one remains.
        }
    }
}

/// A state that the account's server can be asked to report (RFC 6665).
public enum SubscriptionTarget: Hashable, Sendable {
    /// The state of a number's phones (RFC 4235). The value is a number, or a SIP URI.
    case number(String)
    /// Messages that wait for the account (RFC 3842), for servers that report them only to subscribers.
    case messages

    /// The most targets of a line. Others are ignored.
    public static let limit = 32

    var number: String? { if case .number(let number) = self { number } else { nil } }

    var package: String {
        switch self {
        case .number: DialogInformation.package
        case .messages: MessageSummary.package
        }
    }

    var mediaType: String {
        switch self {
        case .number: DialogInformation.mediaType
        case .messages: MessageSummary.mediaType
        }
    }

    /// The resource to subscribe to. Nil if the target is not an address.
    func resource(of account: LineConfiguration.Account, in configuration: LineConfiguration) -> URI? {
        switch self {
        case .number(let number): configuration.address(of: number)?.asInitialRequestURI
        case .messages: .sip(SIPURI(user: configuration.user, host: account.domain))
        }
    }
}

/// The parsed content of a NOTIFY in our subscription (RFC 6665 §4.1.3).
struct Notification: Sendable {
    enum Content: Sendable {
        case none
        case calls(DialogInformation)
        /// The number of new voice messages.
        case messages(Int)
    }

    let state: SubscriptionState
    /// Its CSeq.
    let sequence: UInt32
    let content: Content

    /// - Throws: The response for the server, if its package or document does not match the subscription.
    init(_ request: SIPRequest, about target: SubscriptionTarget) throws(RequestRefusal) {
        let event: SIPEvent
        do throws(SIPParseError) {
            event = try request.headers.required(.event)
            state = try request.headers.stateOfSubscription
            sequence = try request.headers.cSeq.number
        } catch {
            throw RequestRefusal(.badRequest)
        }
        guard event.package.lowercased() == target.package else { throw .badEvent(allowing: [target.package]) }
        content = try Self.content(of: request, about: target)
    }

    private static func content(
        of request: SIPRequest, about target: SubscriptionTarget
    ) throws(RequestRefusal) -> Content {
        guard !request.body.isEmpty else { return .none }
        switch target {
        case .number:
            // The content shows what a general type leaves open.
            let type = (try? request.headers.contentType)?.name ?? target.mediaType
            guard [target.mediaType, "application/xml", "text/xml"].contains(type) else {
                throw .unsupportedMediaType(accepting: [target.mediaType])
            }
            guard let information = DialogInformation(request.body) else { throw RequestRefusal(.badRequest) }
            return .calls(information)
        case .messages:
            return .messages(try MessageSummary(in: request).newVoiceMessages)
        }
    }
}

extension SIPHeaders {
    /// The state in a NOTIFY. Subscription-State is mandatory (RFC 6665 §4.1.3), but servers of older drafts omit it.
    /// Then the subscription is active, unless Expires is 0.
    var stateOfSubscription: SubscriptionState {
        get throws(SIPParseError) {
            if let state = try subscriptionState { return state }
            let seconds = try? expires
            return SubscriptionState(seconds == 0 ? .terminated : .active, expires: seconds)
        }
    }
}
