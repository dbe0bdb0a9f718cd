/// The headers of SIP's extensions that the phone reads or writes.
extension SIPHeaderName {
    public static let proxyAuthenticationInfo = SIPHeaderName("Proxy-Authentication-Info")
    public static let contentDisposition = SIPHeaderName("Content-Disposition")
    public static let contentEncoding = SIPHeaderName("Content-Encoding")
    public static let date = SIPHeaderName("Date")
    public static let diversion = SIPHeaderName("Diversion")
    public static let flowTimer = SIPHeaderName("Flow-Timer")
    public static let historyInfo = SIPHeaderName("History-Info")
    public static let minSE = SIPHeaderName("Min-SE")
    public static let pCalledPartyID = SIPHeaderName("P-Called-Party-ID")
    public static let pPreferredIdentity = SIPHeaderName("P-Preferred-Identity")
    public static let path = SIPHeaderName("Path")
    public static let privAnswerMode = SIPHeaderName("Priv-Answer-Mode")
    public static let privacy = SIPHeaderName("Privacy")
    public static let rAck = SIPHeaderName("RAck")
    public static let rSeq = SIPHeaderName("RSeq")
    public static let referSub = SIPHeaderName("Refer-Sub")
    public static let referredBy = SIPHeaderName("Referred-By")
    public static let remotePartyID = SIPHeaderName("Remote-Party-ID")
    public static let replaces = SIPHeaderName("Replaces")
    public static let serviceRoute = SIPHeaderName("Service-Route")
    public static let subscriptionState = SIPHeaderName("Subscription-State")
    public static let targetDialog = SIPHeaderName("Target-Dialog")

    /// The names as their RFCs write them. Extensions that have a compact form are in `SIPHeaderName.names` instead.
    static let extensionNames: [(String, compact: String?)] = [
        "Content-Disposition", "Date", "Diversion", "Flow-Timer", "History-Info", "Min-SE", "P-Called-Party-ID",
        "P-Preferred-Identity", "Path", "Priv-Answer-Mode", "Privacy", "Proxy-Authentication-Info", "RAck", "RSeq",
        "Refer-Sub", "Remote-Party-ID", "Replaces", "Service-Route", "Subscription-State", "Target-Dialog",
    ].map { ($0, nil) }
}
