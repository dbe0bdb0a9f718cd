import Base

/// Who calls, as signalling tells it: hostile text, length-limited and free of control characters.
public struct Caller: Equatable, Codable, Sendable {
    /// The user part, or the whole URI when there is none.
    public var number: String
    public var displayName: String?
    /// The caller does not want to be shown: the number is a word that says so.
    public var isWithheld: Bool
    /// Who sent the call on to us last. Nil: nobody did, or does not want to be shown.
    public var divertedBy: String?
    /// Which of our numbers was called.
    public var called: String?
    public var account: AccountID
    /// Names by which a backend calls this call, where its own server put them into the request.
    public var ids: [String]
    /// Which ring the server asks for (Alert-Info).
    public var ring: String?
    /// The caller asks to be answered without a person.
    public var wantsAutoAnswer: Bool
    /// What the network says about the number. Nil: nothing.
    public var verification: CallerVerification?
    /// The number as somebody vouches for it who knows. Nil: the caller alone says so, which gives nobody a right.
    public var vouched: VouchedNumber?
    /// When the request arrived, where that is known: an announcement has 5 s from then.
    public var arrived: Instant?
    /// The call whose place this one takes, by the word of whoever we talk to there.
    public var replaces: CallID?

    public init(
        number: String, displayName: String? = nil, isWithheld: Bool = false, divertedBy: String? = nil,
        called: String? = nil, account: AccountID, ids: [String] = [], ring: String? = nil,
        wantsAutoAnswer: Bool = false, verification: CallerVerification? = nil, vouched: VouchedNumber? = nil,
        arrived: Instant? = nil, replaces: CallID? = nil
    ) {
        self.number = number
        self.displayName = displayName
        self.isWithheld = isWithheld
        self.divertedBy = divertedBy
        self.called = called
        self.account = account
        self.ids = ids
        self.ring = ring
        self.wantsAutoAnswer = wantsAutoAnswer
        self.verification = verification
        self.vouched = vouched
        self.arrived = arrived
        self.replaces = replaces
    }
}

public enum LineEvent: Equatable, Codable, Sendable {
    case registration(AccountID, RegistrationState)
    /// Somebody calls.
    case offered(CallID, Caller)
    /// Somebody called, from this address, and was turned away by the line itself.
    case refused(Caller, from: String, because: CallRefusal)
    /// Our offer left.
    case offerSent(CallID)
    /// The far end's phone rings.
    case ringing(CallID)
    /// The far end sends sound before it answers.
    case earlyMedia(CallID, NegotiatedMedia)
    /// The call was answered: by the far end, or by us and the answer left.
    case answered(CallID, NegotiatedMedia)
    /// What a later process needs to say goodbye to this call; opaque, without secrets.
    case memo(CallID, String)
    /// The far end changed the terms: it held or resumed us, or moved.
    case renegotiated(CallID, NegotiatedMedia, heldByFarEnd: Bool)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms hold.
    case holdSettled(CallID, NegotiatedMedia?)
    /// Our hold or resume met an offer of the far end's: it is asked for again after so long (RFC 3261 §14.1).
    case holdDelayed(CallID, by: Duration)
    /// Our move to another address is settled. Nil: the far end did not follow.
    case moved(CallID, NegotiatedMedia?)
    /// Whether the far end took on the transfer that was asked of it.
    case transferSettled(CallID, accepted: Bool)
    /// What came of a transfer that was accepted.
    case transferred(CallID, succeeded: Bool)
    /// The far end wants us to call somebody else in its place: a number or an address, for people.
    case referred(CallID, to: String)
    /// Whom we called wants us to call somebody else instead. The line waits for `redirect`.
    case redirected(CallID, to: String)
    /// The digits that were to go by signalling have left, all but these, which the far end does not take.
    case dtmfSent(CallID, unsent: [DTMFElement])
    /// The far end sent a digit by signalling.
    case dtmfReceived(CallID, DTMFSymbol)
    /// Somebody sent a text.
    case text(Caller, String)
    /// What the phones of a watched number do.
    case watched(WatchedNumber, WatchedState)
    /// How many messages the account's server keeps for us.
    case messagesWaiting(AccountID, Int)
    /// The call is over on the wire, whoever ended it; it is named no more. Comes once for each call.
    case ended(CallID, EndReason)
}

public enum LineEffect: Equatable, Codable, Sendable {
    /// Place a call. `target` is a validated number or URI.
    case place(CallID, target: String, account: AccountID, MediaEndpoint)
    /// Tell the caller that a person is being alerted.
    case alert(CallID)
    /// - Parameter awaitingACK: Answered only when the caller has shown that it is there: nothing is sent to whoever did not
    ///   call.
    case answer(CallID, MediaEndpoint, awaitingACK: Bool)
    /// Refuse a call that was offered.
    case refuse(CallID, CallRejection)
    /// Say goodbye: cancel or bye, whichever the call's progress asks for.
    case end(CallID)
    case hold(CallID, Bool)
    /// Send digits by signalling, behind those that are on their way. Answered by `dtmfSent`.
    case dtmf(CallID, [DTMFElement])
    /// Our addresses changed: tell the far end where we are now.
    case move(CallID)
    /// Ask the far end to call somebody else instead of us.
    case transfer(CallID, to: String)
    /// Ask the first far end to take our place in the second call.
    case connect(CallID, CallID)
    /// Place the call that the far end of another one asked for, with that one's account.
    case follow(CallID, after: CallID, account: AccountID, MediaEndpoint)
    /// Place no such call.
    case declineReferral(CallID)
    /// Whether the call may go where the far end sends it.
    case redirect(CallID, Bool)
    /// Take the call that rings at a watched number.
    case pickUp(CallID, WatchedNumber, MediaEndpoint)
    /// Say goodbye to a call of the process before, by its memo. Best effort.
    case orphanBye(AccountID, memo: String)
    /// Register at once, whatever the line waits for.
    case reconnect(AccountID)
    /// Register as somebody else from now on.
    case reconfigure(AccountID, AccountCredentials)
    /// Unregister and close.
    case shutDown
}
