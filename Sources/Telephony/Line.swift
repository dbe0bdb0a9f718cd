import Base

/// What the phone wants of a line. A command that no longer fits the state of its call changes nothing.
public enum LineCommand: Equatable, Codable, Sendable {
    /// Call `target`: a number, or a SIP URI. This phone receives media at the endpoint. Its host follows from the flow
    /// of the call.
    /// - Parameter presentation: The caller identity and headers of this call, in place of the account's.
    case dial(
        CallID, target: String, account: AccountID, MediaEndpoint, presentation: CallPresentation? = nil)
    /// Tell the caller that a person is being alerted.
    case alert(CallID)
    /// - Parameter awaitingACK: The call counts as answered only after the caller's ACK, which shows that the caller is
    ///   there. So no voice goes to an address that did not call.
    case answer(CallID, MediaEndpoint, awaitingACK: Bool)
    /// Send the far end further candidates of this phone, found since `dial` or `answer` (RFC 8838), as values of
    /// `a=candidate`. It has no effect over SIP.
    /// - Parameter isLast: Whether there will be no more.
    case candidates(CallID, [String], isLast: Bool)
    /// Refuse a call that was offered.
    case refuse(CallID, CallRejection)
    /// End the call with CANCEL, BYE or a refusal, according to its state.
    /// - Parameter because: Why the phone itself ends it. Nil: a person hangs up.
    case end(CallID, because: HangUpCause? = nil)
    case hold(CallID, Bool)
    /// Send digits by signalling, after those that are still being sent. Answered by `dtmfSent`. A line bounds how many
    /// digits may wait.
    case dtmf(CallID, [DTMFElement])
    /// Our addresses changed: tell the far end the new ones, over a newly located flow. Answered by `moved`.
    ///
    /// Only one change is under way at a time. A hold that was already sent is settled first, at the latest after 64·T1
    /// without an answer. That missing answer does not end the call. Further changes in this time go into one next
    /// offer.
    /// - Parameter endpoint: Where the call has to find a path to the new addresses. Nil: the line's own endpoint.
    case move(CallID, MediaEndpoint?)
    /// Ask the far end to call this target instead of us: a number, or a SIP URI. Answered by `transferSettled`.
    case transfer(CallID, to: String)
    /// Ask the first far end to take our place in the second call. Answered by `transferSettled` of the first.
    case connect(CallID, CallID)
    /// Place the call that the far end of another call asked for by `referred`, with that call's account. That far end
    /// gets reports on its progress.
    case follow(CallID, after: CallID, account: AccountID, MediaEndpoint)
    /// Decline the call that the far end of this call asked for by `referred`.
    case declineReferral(CallID)
    /// Whether the call may follow the far end's redirection. False: the call ends as it would have ended without one.
    case redirect(CallID, Bool)
    /// Take the call that rings at a watched number.
    case pickUp(CallID, WatchedNumber, MediaEndpoint)
    /// Send BYE for a call of an earlier process, from its memo. The line tries for a bounded time.
    case orphanBye(AccountID, memo: String)
    /// Register at once over a newly located flow, in place of any attempt or pause that is under way. `registration`
    /// is reported again even if it does not change.
    case reconnect(AccountID)
    /// Unregister, and do not register before `reconnect`. Calls that are up go on.
    case disconnect(AccountID)
    /// Unregister, then register with these credentials. Calls that are up keep their former identity.
    case reconfigure(AccountID, AccountCredentials)
    /// End every call, unregister and close.
    case shutDown

    /// Event logs call `dial` by its older name.
    private enum CodingKeys: String, CodingKey {
        case dial = "place"
        case alert, answer, candidates, refuse, end, hold, dtmf, move, transfer, connect, follow, declineReferral,
            redirect, pickUp
        case orphanBye, reconnect, disconnect, reconfigure, shutDown
    }
}

/// What a line reports to the phone.
public enum LineEvent: Equatable, Codable, Sendable {
    case registration(AccountID, RegistrationState)
    /// An incoming call.
    case offered(CallID, Caller)
    /// The line itself refused an incoming call from this address. When many such calls come in a short time, only the
    /// first are reported.
    case refused(Caller, from: String, because: CallRefusal)
    /// Our offer was sent.
    case offerSent(CallID)
    /// The far end's phone rings.
    case ringing(CallID)
    /// The far end sends sound before it answers.
    case earlyMedia(CallID, NegotiatedMedia)
    /// The far end answered the call, or we did and our answer was sent.
    case answered(CallID, NegotiatedMedia)
    /// The data that a later process needs to send BYE for this call (`orphanBye`). It is opaque, to be stored, without
    /// secrets, and at most 2 KiB. It follows `answered`, once. A call with longer addresses and routes has no memo.
    case memo(CallID, String)
    /// The far end changed the terms: it held or resumed us, or moved.
    case renegotiated(CallID, NegotiatedMedia, heldByFarEnd: Bool)
    /// The far end has another name now, or is another party. Nil: unchanged. The texts are bounded as in `Caller`.
    /// Without a standing, only the far end claims it.
    case displayUpdated(CallID, name: String?, number: String?, standing: PartyStanding? = nil)
    /// Our own hold or resume is settled. Nil: it failed, and the old terms apply.
    case holdSettled(CallID, NegotiatedMedia?)
    /// Our hold or resume is requested again after this time, at most 10 s. It collided with the far end's offer (RFC
    /// 3261 §14.1), or the far end was not ready (§21.5.1).
    case holdDelayed(CallID, by: Duration)
    /// Our move to another address is settled. Nil: the far end refused it or does not answer, and the terms are
    /// unchanged.
    case moved(CallID, NegotiatedMedia?)
    /// Whether the far end accepted the transfer that was requested.
    case transferSettled(CallID, accepted: Bool)
    /// The outcome of a transfer that was accepted. It is not reported for a call that has already ended.
    case transferred(CallID, succeeded: Bool)
    /// The far end wants us to call another party in its place. `to` is for people: the number if it belongs to the
    /// account, else the whole address. Settled by `follow` or `declineReferral`.
    case referred(CallID, to: String)
    /// The called party redirects our call. `to` is as in `referred`. Settled by `redirect`.
    case redirected(CallID, to: String)
    /// The digits to be sent by signalling were sent, and their sounding time is over. `unsent` was not sent, because
    /// the far end accepts no digits, or because too many were waiting.
    case dtmfSent(CallID, unsent: [DTMFElement])
    /// The far end sent a digit by signalling.
    case dtmfReceived(CallID, DTMFSymbol)
    /// A text message arrived. It is bounded and has no control characters except line breaks.
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
