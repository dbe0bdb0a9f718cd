extension SIPMessage {
    /// Reads every header that the phone relies on, so that a fault is found before anything acts on the message.
    ///
    /// - Throws: The first fault: a mandatory header that is missing or repeated, a malformed value, a CSeq of another
    ///   method (RFC 3261 §8.1.1, §8.2.2). A request with a fault is answered with 400, a response with a fault is
    ///   dropped.
    public func validate() throws(SIPParseError) {
        let identification = try headers.validate()
        guard case .request(let request) = self else { return }
        guard try request.headers.cSeq.method == request.method else {
            throw SIPParseError(.methodMismatch, at: 0, in: .cSeq)
        }
        guard request.uri.sip?.headers == nil else { throw SIPParseError(.headersInURI, at: 0) }
        try identification.check()
    }
}

/// The parts that identify a request of RFC 3261 (§8.1.1). A request of RFC 2543 has no magic cookie and may lack the
/// other parts (RFC 4475 §3.4.1).
private struct Identification {
    var namesTransaction = false
    var isTagged = false
    var limitsHops = false

    func check() throws(SIPParseError) {
        guard namesTransaction else { return }
        guard isTagged else { throw SIPParseError(.missing, at: 0, in: .from) }
        guard limitsHops else { throw SIPParseError(.missing, at: 0, in: .maxForwards) }
    }
}

extension SIPHeaders {
    /// Reads each header once. Allocates nothing.
    fileprivate func validate() throws(SIPParseError) -> Identification {
        var identification = Identification()
        var hops = 0
        try eachElement(.via) { scanner throws(SIPParseError) in
            let namesTransaction = try Via.skipNamingTransaction(in: &scanner)
            if hops == 0 { identification.namesTransaction = namesTransaction }
            hops += 1
        }
        guard hops > 0 else { throw SIPParseError(.missing, at: 0, in: .via) }
        let hasFrom = try single(.from) { scanner throws(SIPParseError) in
            identification.isTagged = try NameAddress.skipTagged(in: &scanner)
        }
        guard hasFrom else { throw SIPParseError(.missing, at: 0, in: .from) }
        try checkRequired(.to, as: NameAddress.self)
        try checkRequired(.callID, as: CallID.self)
        try checkRequired(.cSeq, as: CSeq.self)
        _ = try checkList(.route, of: NameAddress.self)
        _ = try checkList(.recordRoute, of: NameAddress.self)
        _ = try checkSingle(.contentType, as: MediaType.self)
        _ = try checkSingle(.expires, as: SIPNumber.self)
        if !isExactly(.contact, UInt8(ascii: "*")) { _ = try checkList(.contact, of: NameAddress.self) }
        if let left = try maxForwards {
            identification.limitsHops = true
            guard left <= 255 else { throw SIPParseError(.number(maximum: 255), at: 0, in: .maxForwards) }
        }
        return identification
    }

    private func checkRequired<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, as type: Value.Type
    ) throws(SIPParseError) {
        guard try checkSingle(name, as: type) else { throw SIPParseError(.missing, at: 0, in: name) }
    }
}

extension SIPResponse {
    /// The response to bytes that are not a valid request, if they say where it should go: 505 for another SIP version,
    /// else 400 (RFC 3261 §8.2, RFC 4475 §3.1.2). Nil for a response, for an ACK, and when the head cannot be read or
    /// lacks Via, From, To, Call-ID or CSeq.
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
