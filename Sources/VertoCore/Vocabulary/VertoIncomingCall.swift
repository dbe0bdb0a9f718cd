import Telephony

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
