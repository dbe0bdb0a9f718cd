import Telephony

/// A change of a call's state.
public enum VertoCallEvent: Equatable, Sendable {
    case incoming(VertoIncomingCall)
    /// A call to us was refused as busy, because there was no room.
    case turnedAway(VertoIncomingCall)
    /// The server has accepted our call.
    case created
    /// The far end rings. The owner plays ringback until `earlyMedia` or `answered`.
    case ringing(callee: VertoParty, VertoReferences)
    /// The far end's description, before it answers.
    case earlyMedia(sdp: String)
    /// The far end answered our call.
    /// - Parameter sdp: It replaces the one of `earlyMedia`. Nil: that one remains.
    case answered(sdp: String?)
    /// The server has confirmed our answer.
    case connected
    /// The far end has another identity now.
    case display(VertoParty)
    case held(Bool)
    /// The hold is unchanged.
    case holdFailed
    case dtmfSent(DTMFSymbol)
    /// This digit and those that waited behind it are dropped.
    case dtmfFailed
    /// The far end's candidate, which may come before the answer.
    case candidate(VertoCandidate)
    case endOfCandidates
    /// The answer to `updateMedia`.
    case mediaUpdated(sdp: String)
    case mediaUpdateFailed
    /// The far end is connected to another party now. The server ends the call.
    case transferred
    /// The far end is still in this call.
    case transferFailed
    /// The connection is gone. The server may give the call back within `VertoTiming.reattachLimit`. Media may go on.
    /// Earlier requests fail after this event, and requests before `reattached` fail at once.
    case recovering
    /// The server offers the call again with new media, and needs `attachAnswer`. Earlier requests fail after this
    /// event.
    case attachOffered(sdp: String)
    /// The server offers a call again that still rings there. The offer replaces the one before. A call that was just
    /// answered must be answered again.
    case reoffered(sdp: String)
    case reattached
    /// The last event of a call.
    case ended(VertoEnd)
}

/// The content of an invitation from the server.
public struct VertoIncomingCall: Equatable, Sendable {
    /// The server's offer.
    public let sdp: String
    public let caller: VertoParty
    /// The party that the caller called.
    public let callee: VertoParty
    public let references: VertoReferences
    /// At most `VertoLimits.headers`.
    public let headers: [CallHeader]
    /// SIP headers with which the server describes the call: each name in lower case, and its value.
    public let statements: [String: String]
    /// Data that an application of the provider attached to the call, in base 64.
    public let clientState: String?

    public init(
        sdp: String, caller: VertoParty = VertoParty(), callee: VertoParty = VertoParty(),
        references: VertoReferences = VertoReferences(), headers: [CallHeader] = [],
        statements: [String: String] = [:], clientState: String? = nil
    ) {
        (self.sdp, self.caller, self.callee) = (sdp, caller, callee)
        (self.references, self.headers, self.clientState) = (references, headers, clientState)
        self.statements = statements
    }
}

/// An end of a call, as the server names it. Both texts are safe to show, and of at most `VertoLimits.nameBytes`.
public struct VertoParty: Equatable, Sendable {
    public var name: String?
    public var number: String?
    /// Whether the number is exactly as the server wrote it. If not, two different numbers may look alike.
    public var isNumberWhole: Bool

    public init(name: String? = nil, number: String? = nil, isNumberWhole: Bool = true) {
        (self.name, self.number, self.isNumberWhole) = (name, number, isNumberWhole)
    }
}

/// The server's other names for a call, which other channels of the same provider use.
public struct VertoReferences: Equatable, Sendable {
    public var session: String?
    public var leg: String?
    public var control: String?

    public init(session: String? = nil, leg: String? = nil, control: String? = nil) {
        (self.session, self.leg, self.control) = (session, leg, control)
    }
}

/// A text for people, from a user or a server. It has lines, and at most `VertoLimits.textBytes`.
public struct VertoText: Equatable, Sendable {
    /// Nil: the far end of `call`, or the server itself.
    public let from: String?
    /// The call to which it belongs. Nil: none.
    public let call: VertoCallID?
    /// As received. The owner makes it safe to show.
    public let body: String

    public init(from: String? = nil, call: VertoCallID? = nil, body: String) {
        (self.from, self.call, self.body) = (from, call, body)
    }
}
