/// The identity of one party of a call. Older networks use this header instead of P-Asserted-Identity
/// (draft-ietf-sip-privacy-04 §6).
public struct RemotePartyID: SIPHeaderValue {
    /// The party with this identity.
    public enum Party: String, Hashable, Sendable { case calling, called }

    public var address: NameAddress

    public init(_ address: NameAddress) { self.address = address }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) { address = try NameAddress(from: &scanner) }

    /// Nil means the sender of the message.
    public var party: Party? { address.parameters["party"].flatMap { Party(rawValue: $0.asciiLowercased) } }
    /// Whether the network checked the identity.
    public var isScreened: Bool { address.parameters["screen"]?.equalsIgnoringCase("yes") ?? false }
    /// Whether the identity is not to be shown: any privacy except `off`.
    public var isPrivate: Bool { address.parameters["privacy"].map { !$0.equalsIgnoringCase("off") } ?? false }

    public var text: String { address.text }
}

extension SIPHeaders {
    public var remoteParties: [RemotePartyID] { get throws(SIPParseError) { try list(.remotePartyID) } }
}
