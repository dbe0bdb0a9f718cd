import Base
// This module's vocabulary includes the terms that the phone and its lines share.
@_exported import Telephony

/// The caller, according to the signalling. It is untrusted text, length-limited and free of control characters.
public struct Caller: Equatable, Codable, Sendable {
    /// The user part, or the whole URI without a user part.
    public var number: String
    public var displayName: String?
    /// The caller withholds the number. `number` is then the placeholder from the signalling.
    public var isWithheld: Bool
    /// The last party that diverted the call to us. Nil: the call was not diverted, or that party withholds its number.
    public var divertedBy: String?
    /// Our number that was called.
    public var called: String?
    public var account: AccountID
    /// The backend's identifiers of this call, if its own server put them into the request.
    public var ids: [String]
    /// The ring that the server asks for (Alert-Info).
    public var ring: String?
    /// The caller asks to be answered without a person.
    public var wantsAutoAnswer: Bool
    /// The network's verdict about the number. Nil: none.
    public var verification: CallerVerification?
    /// The number, if a trusted source vouches for it. Nil: only the caller claims it, which gives no permissions.
    public var vouched: AssertedNumber?
    /// The extra headers of the call, for other programs; the phone draws no conclusions from them. Nil: it has none.
    public var headers: [CallHeader]?
    /// When the request arrived, if that is known. The call must be announced within 5 s from then.
    public var arrived: Instant?
    /// The call that this one replaces, as a party to that call's dialog asks.
    public var replaces: CallID?

    public init(
        number: String, displayName: String? = nil, isWithheld: Bool = false, divertedBy: String? = nil,
        called: String? = nil, account: AccountID, ids: [String] = [], ring: String? = nil,
        wantsAutoAnswer: Bool = false, verification: CallerVerification? = nil, vouched: AssertedNumber? = nil,
        headers: [CallHeader]? = nil, arrived: Instant? = nil, replaces: CallID? = nil
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
        self.headers = headers
        self.arrived = arrived
        self.replaces = replaces
    }
}

public enum LineEvent: Equatable, Codable, Sendable {
    case registration(AccountID, RegistrationState)
    /// An incoming call.
    case offered(CallID, Caller)
    /// The line itself refused an incoming call from this address.
    case refused(Caller, from: String, because: CallRefusal)
    /// Our offer was sent.
    case offerSent(CallID)
    /// The far end's phone rings.
    case ringing(CallID)
    /// The far end sends sound before it answers.
    case earlyMedia(CallID, NegotiatedMedia)
    /// The far end answered the call, or we did and our answer was sent.
    case answered(CallID, NegotiatedMedia)
    /// The data that a later process needs to send BYE for this call. It is opaque and contains no secrets.
    case memo(CallID, String)
    /// The far end changed the terms: it held or resumed us, or moved.
    case renegotiated(CallID, NegotiatedMedia, heldByFarEnd: Bool)
    /// The far end has another name now, or is another party. Nil: unchanged. Without a standing, only the far end
    /// claims it.
    case displayUpdated(CallID, name: String?, number: String?, standing: PartyStanding? = nil)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms apply.
    case holdSettled(CallID, NegotiatedMedia?)
    /// Our hold or resume collided with an offer from the far end. It is requested again after this time (RFC 3261
    /// §14.1).
    case holdDelayed(CallID, by: Duration)
    /// Our move to another address is settled. Nil: the far end did not follow.
    case moved(CallID, NegotiatedMedia?)
    /// Whether the far end accepted the transfer that was requested.
    case transferSettled(CallID, accepted: Bool)
    /// The outcome of a transfer that was accepted.
    case transferred(CallID, succeeded: Bool)
    /// The far end wants us to call this target in its place: a number or an address, for people.
    case referred(CallID, to: String)
    /// The called party redirects our call to this target. The line waits for `redirect`.
    case redirected(CallID, to: String)
    /// The digits to be sent by signalling were sent, except these, which the far end does not accept.
    case dtmfSent(CallID, unsent: [DTMFElement])
    /// The far end sent a digit by signalling.
    case dtmfReceived(CallID, DTMFSymbol)
    /// A text message arrived.
    case text(Caller, String)
    /// The state of the phones of a watched number.
    case watched(WatchedNumber, WatchedState)
    /// How many messages the account's server keeps for us.
    case messagesWaiting(AccountID, Int)
    /// The server's or the far end's words for the end that follows.
    case endTold(CallID, ServerEnd)
    /// The signalling of the call is over: either side ended it. The line does not name the call again. Sent once for
    /// each call.
    case ended(CallID, EndReason)
}

public enum LineEffect: Equatable, Codable, Sendable {
    /// Call `target`, a validated number or URI.
    /// - Parameter presentation: The caller identity and headers of this call, in place of the account's.
    case dial(
        CallID, target: String, account: AccountID, MediaEndpoint, presentation: CallPresentation? = nil)
    /// Tell the caller that a person is being alerted.
    case alert(CallID)
    /// - Parameter awaitingACK: The call counts as answered only after the caller's ACK. So no voice goes to an address
    ///   that did not call.
    case answer(CallID, MediaEndpoint, awaitingACK: Bool)
    /// Send the far end further candidates of this phone, found since `dial` or `answer` (RFC 8838).
    /// - Parameter isLast: Whether there will be no more.
    case candidates(CallID, [String], isLast: Bool)
    /// Refuse a call that was offered.
    case refuse(CallID, CallRejection)
    /// End the call with CANCEL, BYE or a refusal, depending on its progress.
    /// - Parameter because: Why the phone itself ends it. Nil: a person hangs up.
    case end(CallID, because: HangUpCause? = nil)
    case hold(CallID, Bool)
    /// Send digits by signalling, after those that are still being sent. Answered by `dtmfSent`.
    case dtmf(CallID, [DTMFElement])
    /// Our addresses changed: tell the far end the new ones.
    /// - Parameter endpoint: Where the call has to find a path to the new addresses. Nil: the line's own endpoint.
    case move(CallID, MediaEndpoint?)
    /// Ask the far end to call this target instead of us.
    case transfer(CallID, to: String)
    /// Ask the first far end to take our place in the second call.
    case connect(CallID, CallID)
    /// Place the call that the far end of another call asked for, with that call's account.
    case follow(CallID, after: CallID, account: AccountID, MediaEndpoint)
    /// Decline the call that the far end asked for.
    case declineReferral(CallID)
    /// Whether the call may follow the far end's redirection.
    case redirect(CallID, Bool)
    /// Take the call that rings at a watched number.
    case pickUp(CallID, WatchedNumber, MediaEndpoint)
    /// Send BYE for a call of the previous process, from its memo. Best effort.
    case orphanBye(AccountID, memo: String)
    /// Register at once, even if the line waits for its next attempt.
    case reconnect(AccountID)
    /// Unregister, until `reconnect`. Calls that are up go on.
    case disconnect(AccountID)
    /// Register with these credentials from now on.
    case reconfigure(AccountID, AccountCredentials)
    /// Unregister and close.
    case shutDown

    /// Event logs call `dial` by its older name.
    private enum CodingKeys: String, CodingKey {
        case dial = "place"
        case alert, answer, candidates, refuse, end, hold, dtmf, move, transfer, connect, follow, declineReferral,
            redirect, pickUp
        case orphanBye, reconnect, disconnect, reconfigure, shutDown
    }
}

/// An incoming call that was refused before it was announced.
public struct RefusedCall: Equatable, Codable, Sendable {
    public var account: AccountID
    public var number: String
    public var name: String?
    /// The address that it came from. Nil: the line offered the call, and reports no address for such calls.
    public var from: String?
    public var reason: CallRefusal

    public init(account: AccountID, number: String, name: String?, from: String?, reason: CallRefusal) {
        (self.account, self.number, self.name, self.from, self.reason) = (account, number, name, from, reason)
    }
}

/// A number whose state the server reports, for a speed-dial key with a lamp.
public struct WatchedNumber: Hashable, Codable, Sendable {
    public var account: AccountID
    /// The number as it is dialled.
    public var number: String

    public init(_ number: String, account: AccountID) {
        self.number = number
        self.account = account
    }
}

/// The question whether the phone calls another target for a far end. The account pays for the call.
public struct TransferQuestion: Equatable, Codable, Sendable {
    public enum Cause: String, Codable, Sendable {
        /// The far end of a call that is up asks for it (REFER).
        case transfer
        /// The party that the phone called, or its server, asks for it (a 3xx answer).
        case redirection
    }

    public let cause: Cause
    /// The target, for people: a number or an address.
    public let target: String
    /// If the person has not answered by then, the target is not called.
    public let until: Instant

    public init(cause: Cause, target: String, until: Instant) {
        (self.cause, self.target, self.until) = (cause, target, until)
    }
}

/// The answer to the question.
public enum TransferAnswer: String, Codable, Sendable {
    /// A person agreed, or declined.
    case accepted, declined
    /// The person did not answer in time.
    case expired
    /// No person was asked: the number is on the list of permitted targets.
    case listed
    /// No person was asked: the phone does not make such a call, or not now.
    case refused
}
