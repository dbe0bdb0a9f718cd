import SIPCore

/// What a line can be told.
public enum LineInput: Equatable, Sendable {
    /// Begin: register, where that is configured.
    case start
    /// A datagram, or one message of a stream, or a line break between two of its messages.
    case received([UInt8], Flow)
    /// The answer to `locate`: the ways there, in the order in which the name service wants them tried; none when there
    /// is none, and why if that is known. The text is for people.
    case located(NextHop, [Flow], because: String? = nil)
    /// What was sent over this flow may not have arrived, and nothing will come from it. Why, if that is known, is for
    /// people: the far end could not prove who it is.
    case transportFailed(Flow, because: String? = nil)
    /// This machine did not send this datagram. Others over its flow are no worse for it.
    case unsent([UInt8], because: String)
    /// This machine has a way to the account's server again, or another one.
    case networkChanged
    case command(LineCommand)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
}

/// What a line's user asks. A command that makes no sense for its leg any more changes nothing.
public enum LineCommand: Equatable, Sendable {
    /// - Parameters:
    ///   - target: A number, or a SIP URI.
    ///   - mediaPort: Where this phone receives voice; the host follows from the way that is taken.
    case invite(LegID, target: String, mediaPort: UInt16)
    /// Tell the caller that a person is being alerted.
    case alert(LegID)
    /// - Parameter awaitingACK: Nobody is told of the answer, and so no voice is sent, before the caller has shown by its ACK
    ///   that it is there.
    case answer(LegID, mediaPort: UInt16, awaitingACK: Bool = false)
    case refuse(LegID, CallRejection)
    /// End the leg by CANCEL, BYE or a refusal, whichever its progress asks for.
    case end(LegID)
    case hold(LegID, Bool)
    /// Our address changed: the far end is told where we are, over a way that is looked for anew. Settled by `moved`.
    ///
    /// One change is under way at a time. A hold that is out is settled first, at the latest when 64·T1 have passed
    /// without an answer, which then does not end the call; what is wanted meanwhile goes into the one next offer.
    case move(LegID)
    /// Send digits in words, by INFO, one after the other. Settled by `dtmfSent`. At most `LineMachine.dtmfLimit` may wait.
    case dtmf(LegID, [DTMFElement])
    /// Ask the far end to call somebody else: a number, or a SIP URI. Answered by `transferSettled`.
    case transfer(LegID, to: String)
    /// Ask the first far end to take our place in the second leg. Answered by `transferSettled` of the first.
    case connect(LegID, LegID)
    /// Place the call that the far end of another leg asked for by `referred`; that far end is told how it goes.
    case follow(LegID, of: LegID, mediaPort: UInt16)
    /// Make no such call.
    case declineReferral(LegID)
    /// Call whom `redirected` named, or nobody: then the call ends as it was answered.
    case redirect(LegID, Bool)
    /// Take the call that rings at a watched number.
    case pickUp(LegID, String, mediaPort: UInt16)
    /// Send BYE to a call of a process that is no more, by its `memo`. Best effort, for `LineMachine.byeTimeout`.
    case orphanBye(String)
    /// Register at once, over a way that is looked for anew, in place of whatever attempt or pause is under way.
    /// `registration` is told again, whether it changes or not.
    case reconnect
    /// Leave the server and register as somebody else. Calls that are up stay who they were.
    case reconfigure(LineCredentials)
    /// End every call and unregister; `finished` follows within `LineMachine.byeTimeout`.
    case shutDown
}
