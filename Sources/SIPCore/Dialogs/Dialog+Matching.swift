extension Dialog.ID {
    /// The dialog that a request of the peer belongs to; nil when its To has no tag and it is outside any dialog.
    public init?(_ request: SIPRequest) throws(SIPParseError) {
        guard let local = try request.headers.to.tag else { return nil }
        let remote = try request.headers.from.tag ?? ""
        self.init(callID: try request.headers.callID, localTag: local, remoteTag: remote)
    }

    /// The dialog that a response to us belongs to.
    public init(_ response: SIPResponse) throws(SIPParseError) {
        let headers = response.headers
        self.init(
            callID: try headers.callID, localTag: try headers.from.tag ?? "", remoteTag: try headers.to.tag ?? "")
    }
}

extension URI {
    /// The URI without the parts that a request URI may not have (RFC 3261 §19.1.1 table 1). A Contact must not add
    /// headers to our requests or choose their method.
    var asRequestURI: URI {
        switch self {
        case .sip(var uri):
            uri.headers = nil
            uri.parameters["method"] = nil
            return .sip(uri)
        case .tel, .other:
            return self
        }
    }
}
