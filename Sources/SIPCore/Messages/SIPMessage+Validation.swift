extension SIPMessage {
    /// Reads the headers that decide a message's transaction, dialog and answer, so that a fault in them is found
    /// before anything acts on the message.
    ///
    /// Every other header is read where it is needed, and a fault there concerns that use alone. Max-Forwards and a tag
    /// in From are mandatory (RFC 3261 §8.1.1), but a user agent needs neither. A request without Max-Forwards passes
    /// even a proxy (§16.3), and one without a tag is of RFC 2543.
    /// - Throws: The first fault: one of these headers is missing, repeated or malformed, or CSeq has another method
    ///   (§8.2.2). A request with a fault is answered with 400, a response with a fault is dropped.
    public func validate() throws(SIPParseError) {
        try headers.validate()
        guard case .request(let request) = self else { return }
        guard try request.headers.cSeq.method == request.method else {
            throw SIPParseError(.methodMismatch, at: 0, in: .cSeq)
        }
        guard request.uri.sip?.headers == nil else { throw SIPParseError(.headersInURI, at: 0) }
    }
}

extension SIPHeaders {
    /// Reads each header once. Allocates nothing.
    fileprivate func validate() throws(SIPParseError) {
        // The hops behind the first one are only returned.
        try checkFirst(.via, of: Via.self)
        try checkRequired(.from, as: NameAddress.self)
        try checkRequired(.to, as: NameAddress.self)
        try checkRequired(.callID, as: CallID.self)
        try checkRequired(.cSeq, as: CSeq.self)
    }
}

extension SIPResponse {
    /// The response to bytes that are not a valid request: 505 for another SIP version, else 400 (RFC 3261 §8.2, RFC
    /// 4475 §3.1.2). Nil for a response, for an ACK, and when the head cannot be read or lacks Via, From, To, Call-ID
    /// or CSeq.
    public init?(refusing bytes: Span<UInt8>, because error: SIPParseError, tag: String) {
        do throws(SIPParseError) {
            let head = try SIPHead(bytes)
            let names: [SIPHeaderName] = [.via, .from, .to, .callID, .cSeq]
            guard !head.isResponse, names.allSatisfy(head.headers.contains), try !head.headers.topVia.host.isEmpty
            else { return nil }
            var method = head.startLine
            let name = method.text { $0.isToken }
            guard !name.isEmpty, name != SIPMethod.ack.name else { return nil }
            let status: SIPStatus = error.kind == .version && error.header == nil ? .versionNotSupported : .badRequest
            let request = SIPRequest(SIPMethod(name), .other(scheme: "unread", rest: "uri"), headers: head.headers)
            self = request.response(status, tag: tag, phrase: error.header.map { "Bad \($0)" })
        } catch {
            return nil
        }
    }
}
