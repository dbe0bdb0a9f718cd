/// The headers of extensions that are addresses, or lists of them.
extension SIPHeaders {
    /// Whom the receiver of a REFER is to call (RFC 3515 §2.1). Two of them are a fault.
    public var referTo: NameAddress? { get throws(SIPParseError) { try single(.referTo) } }
    /// Who asked for the call (RFC 3892 §3). It is only said, not proven.
    public var referredBy: NameAddress? { get throws(SIPParseError) { try single(.referredBy) } }
    /// The way that requests to the account's server take from now on, nearest first (RFC 3608 §5).
    public var serviceRoutes: [NameAddress] { get throws(SIPParseError) { try list(.serviceRoute) } }
    /// The proxies between the registrar and us (RFC 3327 §5).
    public var path: [NameAddress] { get throws(SIPParseError) { try list(.path) } }
    /// Who calls, as the network vouches for it: at most a SIP and a telephone URI (RFC 3325 §9.1).
    public var assertedIdentities: [NameAddress] { get throws(SIPParseError) { try list(.pAssertedIdentity) } }
    /// Whom the caller wishes to be shown as (RFC 3325 §9.2).
    public var preferredIdentities: [NameAddress] { get throws(SIPParseError) { try list(.pPreferredIdentity) } }
    /// Which of our addresses was called (RFC 7315 §4.2).
    public var calledParty: NameAddress? { get throws(SIPParseError) { try single(.pCalledPartyID) } }
    /// Within how many seconds the server wants to hear of us (RFC 5626 §4.4.1, §10).
    public var flowTimer: UInt32? {
        get throws(SIPParseError) { try single(.flowTimer, as: SIPNumber.self)?.value }
    }
    /// What is known about the caller: pictures, pages, and what PBXs add (RFC 3261 §20.9).
    public var callInfos: [LooseValue] { get throws(SIPParseError) { try list(.callInfo) } }
    /// How the call wants to ring (RFC 3261 §20.4).
    public var alertInfos: [LooseValue] { get throws(SIPParseError) { try list(.alertInfo) } }
}
