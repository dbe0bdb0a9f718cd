import Telephony

/// A request of the owner for a call. A command for a call that has ended has no effect.
public enum VertoCallCommand: Equatable, Sendable {
    /// Begins a call. It needs `VertoState.ready` and room. Otherwise it ends at once as `notReady`.
    case invite(VertoInvitation)
    /// Answers an offered call. While the connection is lost it has no effect, and `VertoCallEvent.reoffered` shows
    /// when to repeat it.
    /// - Parameter isTrickled: Whether candidates follow. Without effect if the dialect cannot do that.
    case answer(sdp: String, headers: [CallHeader] = [], isTrickled: Bool = false)
    /// Hangs up, gives up, or declines, according to the state of the call. The server learns of it as soon as
    /// possible.
    /// - Parameter cause: Nil is `normalClearing` for a call that is up, else `userBusy`, as in Telnyx's own programs.
    case bye(VertoCause? = nil)
    /// Puts the far end on hold, or resumes. While a request is outstanding, the last wish counts. No description
    /// changes.
    case hold(Bool)
    /// Sends a digit when the server has accepted those before it. The owner handles pauses.
    case dtmf(DTMFSymbol)
    /// Our candidate. It waits until the answer is sent.
    case candidate(VertoCandidate)
    case endOfCandidates
    /// An offer with new ICE credentials. A later one replaces one that is not answered.
    case updateMedia(sdp: String)
    /// Transfers the far end to the party at this number (blind transfer). Settled by `transferred` or
    /// `transferFailed`.
    case transfer(to: String)
    /// Connects the far end to the far end of another call of the session (attended transfer). Settled as `transfer`
    /// is.
    case replace(VertoCallID)
    /// The answer to `VertoCallEvent.attachOffered`, with all known candidates.
    case attachAnswer(sdp: String)
}

/// The content of our invitation.
public struct VertoInvitation: Equatable, Sendable {
    /// A number, or a name that the server knows.
    public var destination: String
    /// The offer. If candidates do not follow, it holds them all.
    public var sdp: String
    /// The identity for the far end. Nil: the server decides.
    public var caller: VertoParty
    /// Only the first `VertoLimits.headers` are sent.
    public var headers: [CallHeader]
    /// Whether candidates follow. Without effect if the dialect cannot do that.
    public var isTrickled: Bool

    public init(
        _ destination: String, sdp: String, caller: VertoParty = VertoParty(), headers: [CallHeader] = [],
        isTrickled: Bool = false
    ) {
        (self.destination, self.sdp, self.caller) = (destination, sdp, caller)
        (self.headers, self.isTrickled) = (headers, isTrickled)
    }
}

/// One ICE candidate, as it is trickled (RFC 8838).
public struct VertoCandidate: Equatable, Sendable {
    /// The value of `a=candidate`, with or without the word `candidate:`.
    public let candidate: String
    /// The `a=mid` of its medium.
    public let mid: String?
    /// The place of its medium in the description, counted from 0.
    public let lineIndex: Int?

    public init(_ candidate: String, mid: String?, lineIndex: Int?) {
        (self.candidate, self.mid, self.lineIndex) = (candidate, mid, lineIndex)
    }
}

/// The name of a call, which the end that begins it chooses.
public struct VertoCallID: Hashable, Sendable {
    public let rawValue: String

    /// - Returns: Nil unless it has 1 to `VertoLimits.idBytes` printable ASCII characters.
    public init?(_ text: String) {
        guard text.isVisible(bytes: VertoLimits.idBytes) else { return nil }
        rawValue = text
    }

    /// A new name: a random UUID in lower case, as servers expect it.
    public init(using generator: inout some RandomNumberGenerator) { rawValue = .randomUUID(using: &generator) }
}
