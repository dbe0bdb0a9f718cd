import SDPCore
import SIPCore
// The interface of the lines includes the terms that the phone and its lines share.
@_exported import Telephony

/// What a line receives from its owner.
public enum LineInput: Equatable, Sendable {
    /// Begin: register, if that is configured.
    case start
    /// A datagram, one message of a stream, or a CRLF between two messages of a stream.
    case received([UInt8], Flow)
    /// The answer to `locate`: the flows to the hop, in the order that DNS prefers. The list is empty if no flow
    /// exists, with the reason for people, if it is known.
    case located(NextHop, [Flow], because: String? = nil)
    /// This flow broke: what was sent over it may not have arrived, and nothing more will come from it. The reason, if
    /// it is known, is for people. For example, the far end could not prove its identity.
    case transportFailed(Flow, because: String? = nil)
    /// This machine could not send this datagram. Other datagrams over its flow are not affected.
    case unsent([UInt8], because: String)
    /// This machine has a route to the account's server again, or another one.
    case networkChanged
    case command(LineCommand)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
}

/// A request of the line's user. A command that no longer fits the state of its leg changes nothing.
public enum LineCommand: Equatable, Sendable {
    /// - Parameters:
    ///   - target: A number, or a SIP URI.
    ///   - media: Where this phone receives media. The host follows from the flow that the call takes.
    /// - presentation: The name, number and headers that only this call shows.
    case invite(LegID, target: String, media: MediaEndpoint, presentation: CallPresentation = CallPresentation())
    /// Tell the caller that a person is being alerted.
    case alert(LegID)
    /// - Parameter awaitingACK: Whether the report of the answer waits for the caller's ACK, which shows that the
    ///   caller is there. No media is sent before that report.
    case answer(LegID, media: MediaEndpoint, awaitingACK: Bool = false)
    /// Send the far end candidates of this phone that were found after the offer or answer left (RFC 8838), as values
    /// of `a=candidate`. It has no effect over SIP.
    /// - Parameter isLast: Whether no candidates follow.
    case candidates(LegID, [String], isLast: Bool)
    case refuse(LegID, CallRejection)
    /// End the leg by CANCEL, BYE or a refusal, according to its state.
    /// - Parameter because: Why the phone itself ends it. Nil: a person hangs up.
    case end(LegID, because: HangUpCause? = nil)
    case hold(LegID, Bool)
    /// Our address changed: send the far end the new one, over a newly located flow. Settled by `moved`. With ICE, the
    /// offer also has our candidates there.
    ///
    /// Only one change is under way at a time. A hold that was already sent is settled first, at the latest after 64·T1
    /// without an answer. That missing answer does not end the call. Further changes in this time go into one next
    /// offer.
    case move(LegID, ice: LocalICE? = nil)
    /// Send digits by INFO, one after the other. Settled by `dtmfSent`. At most `LineMachine.dtmfLimit` may wait.
    case dtmf(LegID, [DTMFElement])
    /// Ask the far end to call another party: a number, or a SIP URI. Answered by `transferSettled`.
    case transfer(LegID, to: String)
    /// Ask the first far end to take our place in the second leg. Answered by `transferSettled` of the first.
    case connect(LegID, LegID)
    /// Place the call that the far end of another leg requested by `referred`. That far end gets reports on its
    /// progress.
    case follow(LegID, of: LegID, media: MediaEndpoint)
    /// Decline the call that the far end of this leg requested by `referred`.
    case declineReferral(LegID)
    /// Decide on `redirected`. True: call its address. False: the call ends as it would have ended without a
    /// redirection.
    case redirect(LegID, Bool)
    /// Pick up the call that rings at a watched number.
    case pickUp(LegID, String, media: MediaEndpoint)
    /// Send BYE for a call of an earlier process, from its `memo`. Tries for at most `LineMachine.byeTimeout`.
    case orphanBye(String)
    /// Register at once over a newly located flow, in place of any attempt or pause that is under way. `registration`
    /// is reported again even if it does not change.
    case reconnect
    /// Unregister, and do not register before `reconnect`. Calls that are up go on.
    case disconnect
    /// Unregister, then register with other credentials. Calls that are up keep their former identity.
    case reconfigure(LineCredentials)
    /// End every call and unregister; `finished` follows within `LineMachine.byeTimeout`.
    case shutDown
}

extension MediaCapabilities {
    /// The capabilities of this phone in one call.
    func showing(_ media: MediaEndpoint) -> MediaCapabilities {
        var capabilities = self
        if let own = media.fingerprint, fingerprint != nil {
            capabilities.fingerprint = CertificateFingerprint(digest: own)
        }
        capabilities.source = media.source
        return capabilities
    }
}
