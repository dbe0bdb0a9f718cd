import SDPCore
import SIPCore

/// What a line can be told.
public enum LineInput: Equatable, Sendable {
    /// Begin: register, if that is configured.
    case start
    /// A datagram, one message of a stream, or a CRLF between two messages of a stream.
    case received([UInt8], Flow)
    /// The answer to `locate`: the flows to the hop, in the order in which DNS wants them tried. The list
    /// is empty if there is no flow, with the reason if that is known. The reason is for people.
    case located(NextHop, [Flow], because: String? = nil)
    /// What was sent over this flow may not have arrived, and nothing more will come from it. The reason, if it is
    /// known, is for people: for example, the far end could not prove who it is.
    case transportFailed(Flow, because: String? = nil)
    /// This machine could not send this datagram. Other datagrams over its flow are not affected.
    case unsent([UInt8], because: String)
    /// This machine has a route to the account's server again, or another one.
    case networkChanged
    case command(LineCommand)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
}

/// What a line's user asks. A command that no longer makes sense for its leg changes nothing.
public enum LineCommand: Equatable, Sendable {
    /// - Parameters:
    ///   - target: A number, or a SIP URI.
    ///   - media: Where this phone receives media. The host follows from the flow that the call takes.
    ///   - presentation: What the call shows that the account does not.
    case invite(LegID, target: String, media: LocalMedia, presentation: CallPresentation = CallPresentation())
    /// Tell the caller that a person is being alerted.
    case alert(LegID)
    /// - Parameter awaitingACK: The answer is reported only after the caller's ACK has shown that the caller is there.
    ///   No media is sent before that report.
    case answer(LegID, media: LocalMedia, awaitingACK: Bool = false)
    /// Tell the far end other candidates of this phone, which were found since the offer or answer left (RFC 8838): values of
    /// `a=candidate`. It means nothing over SIP.
    /// - Parameter isLast: Whether there will be no others.
    case candidates(LegID, [String], isLast: Bool)
    case refuse(LegID, CallRejection)
    /// End the leg by CANCEL, BYE or a refusal, according to its state.
    case end(LegID)
    case hold(LegID, Bool)
    /// Our address changed: tell the far end the new one, over a newly located flow. Settled by `moved`. With ICE: also
    /// our candidates there.
    ///
    /// Only one change is under way at a time. A hold that was sent already is settled first, at the latest when 64·T1
    /// have passed without an answer. The missing answer does not end the call then. What is wanted meanwhile goes into
    /// one next offer.
    case move(LegID, ice: LocalICE? = nil)
    /// Send digits by INFO, one after the other. Settled by `dtmfSent`. At most `LineMachine.dtmfLimit` may wait.
    case dtmf(LegID, [DTMFElement])
    /// Ask the far end to call another party: a number, or a SIP URI. Answered by `transferSettled`.
    case transfer(LegID, to: String)
    /// Ask the first far end to take our place in the second leg. Answered by `transferSettled` of the first.
    case connect(LegID, LegID)
    /// Place the call that the far end of another leg asked for by `referred`. That far end is told how the call goes.
    case follow(LegID, of: LegID, media: LocalMedia)
    /// Decline the call that the far end of this leg asked for by `referred`.
    case declineReferral(LegID)
    /// Decide on `redirected`. True: call its address. False: the call ends as it would have ended without a
    /// redirection.
    case redirect(LegID, Bool)
    /// Take the call that rings at a watched number.
    case pickUp(LegID, String, media: LocalMedia)
    /// Send BYE for a call of an earlier process, by its `memo`. Best effort, for at most `LineMachine.byeTimeout`.
    case orphanBye(String)
    /// Register at once over a newly located flow, in place of any attempt or pause that is under way. `registration`
    /// is reported again even if it does not change.
    case reconnect
    /// Leave the server and do not register before `reconnect`. Calls that are up go on.
    case disconnect
    /// Leave the server and register with other credentials. Calls that are up keep their former identity.
    case reconfigure(LineCredentials)
    /// End every call and unregister; `finished` follows within `LineMachine.byeTimeout`.
    case shutDown
}
