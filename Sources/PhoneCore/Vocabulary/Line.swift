/// Who calls, as signalling tells it: hostile text, length-limited and free of control characters.
public struct Caller: Equatable, Sendable {
    /// The user part, or the whole URI when there is none.
    public var number: String
    public var displayName: String?
    public var account: AccountID

    public init(number: String, displayName: String? = nil, account: AccountID) {
        self.number = number
        self.displayName = displayName
        self.account = account
    }
}

public enum RegistrationState: Equatable, Sendable {
    /// Configured not to register: calls work, nobody is told where we are.
    case notNeeded
    case registering
    case registered
    /// Not reachable through this line; it goes on trying. The text is for people.
    case failed(String)

    /// Whether calls can be placed and answered.
    public var isReady: Bool {
        switch self {
        case .notNeeded, .registered: true
        case .registering, .failed: false
        }
    }
}

public enum LineEvent: Equatable, Sendable {
    case registration(AccountID, RegistrationState)
    /// Somebody calls.
    case offered(CallID, Caller)
    /// Our offer left.
    case offerSent(CallID)
    /// The far end's phone rings.
    case ringing(CallID)
    /// The far end sends sound before it answers.
    case earlyMedia(CallID, MediaPlan)
    /// The call was answered: by the far end, or by us and the answer left.
    case answered(CallID, MediaPlan)
    /// The far end changed the terms: it held or resumed us, or moved.
    case renegotiated(CallID, MediaPlan, heldByFarEnd: Bool)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms hold.
    case holdSettled(CallID, MediaPlan?)
    /// The call is over on the wire, whoever ended it; it is named no more. Comes once for each call.
    case ended(CallID, EndReason)
}

public enum LineEffect: Equatable, Sendable {
    /// Place a call. `target` is a validated number or URI.
    case place(CallID, target: String, account: AccountID, MediaEndpoint)
    /// Tell the caller that a person is being alerted.
    case alert(CallID)
    case answer(CallID, MediaEndpoint)
    /// Refuse a call that was offered.
    case refuse(CallID, Refusal)
    /// Say goodbye: cancel or bye, whichever the call's progress asks for.
    case end(CallID)
    case hold(CallID, Bool)
    /// Unregister and close.
    case shutDown
}

public enum Refusal: Equatable, Sendable {
    case busy, declined, noAnswer, unavailable
}
