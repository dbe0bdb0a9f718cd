/// The headers of extensions that are addresses, or lists of them.
extension SIPHeaders {
    /// The address that the receiver of a REFER is to call (RFC 3515 §2.1). More than one is a fault.
    public var referTo: NameAddress? { get throws(SIPParseError) { try single(.referTo) } }
    /// The party that asked for the call (RFC 3892 §3). It is only claimed, not proven.
    public var referredBy: NameAddress? { get throws(SIPParseError) { try single(.referredBy) } }
    /// The route of requests to the account's server from now on, nearest first (RFC 3608 §5).
    public var serviceRoutes: [NameAddress] { get throws(SIPParseError) { try wholeList(.serviceRoute) } }
    /// The proxies between the registrar and us (RFC 3327 §5).
    public var path: [NameAddress] { get throws(SIPParseError) { try wholeList(.path) } }
    /// The caller's identity as the network asserts it: at most a SIP and a telephone URI (RFC 3325 §9.1).
    public var assertedIdentities: [NameAddress] { get throws(SIPParseError) { try list(.pAssertedIdentity) } }
    /// The identity that the caller wishes to be shown (RFC 3325 §9.2).
    public var preferredIdentities: [NameAddress] { get throws(SIPParseError) { try list(.pPreferredIdentity) } }
    /// Our address that was called (RFC 7315 §4.2).
    public var calledParty: NameAddress? { get throws(SIPParseError) { try single(.pCalledPartyID) } }
    /// The seconds within which the server expects our next message (RFC 5626 §4.4.1, §10).
    public var flowTimer: UInt32? {
        get throws(SIPParseError) { try first(.flowTimer, as: SIPNumber.self)?.value }
    }
    /// Information about the caller: pictures, web pages, and additions of PBXs (RFC 3261 §20.9).
    public var callInfos: [LooseValue] { get throws(SIPParseError) { try list(.callInfo) } }
    /// The ringing that the caller asks for (RFC 3261 §20.4).
    public var alertInfos: [LooseValue] { get throws(SIPParseError) { try list(.alertInfo) } }
}
