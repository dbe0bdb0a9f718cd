import Base

extension SIPMessage {
    /// Reads a message from a datagram, or from exactly its own bytes of a stream.
    ///
    /// Total: any bytes give a message or an exact error. Header values are not interpreted here (see `validate`). A
    /// body shorter than Content-Length is an error, and bytes beyond it are left out. Without Content-Length
    /// everything after the head is the body (RFC 3261 §18.3). Cost: linear in the bytes; three allocations, and those
    /// of the request's URI.
    public init(_ bytes: Span<UInt8>) throws(SIPParseError) {
        guard bytes.count <= SIPLimits.message else {
            throw SIPParseError(.tooLong(limit: SIPLimits.message), at: SIPLimits.message)
        }
        let head = try SIPHead(bytes)
        if head.isResponse {
            var response = try SIPResponse(startLine: head.startLine)
            (response.headers, response.body) = (head.headers, try head.body(in: bytes))
            self = .response(response)
        } else {
            var request = try SIPRequest(startLine: head.startLine)
            (request.headers, request.body) = (head.headers, try head.body(in: bytes))
            self = .request(request)
        }
    }
}

extension SIPHead {
    fileprivate func body(in message: Span<UInt8>) throws(SIPParseError) -> [UInt8] {
        let present = message.count - end
        let count = try announced ?? present
        guard count <= present else {
            throw SIPParseError(.bodyTruncated(announced: count, present: present), at: message.count)
        }
        return [UInt8](copying: message.extracting(end..<end + count))
    }
}

extension SIPRequest {
    /// `Method SP Request-URI SP SIP-Version`
    fileprivate init(startLine: SIPScanner) throws(SIPParseError) {
        var line = startLine
        let limit = line.reach(in: .token)
        guard limit > line.offset else { throw line.error(.startLine) }
        let method = SIPMethod(token: line.text(to: limit))
        guard line.skip(0x20), let next = line.next, !next.isSpace else { throw line.error(.startLine) }
        let target = line.split(at: line.reach { !$0.isSpace })
        guard line.skip(0x20) else { throw line.error(.startLine) }
        // Without the version behind it, a blank is inside the URI, and the URI has to be without faults.
        var rest = line
        let uri = try (try? rest.version()) == nil ? URI(whole: target) : URI(target: target)
        try line.version()
        guard line.isAtEnd else { throw line.error(.startLine) }
        self.init(method, uri)
    }
}

extension URI {
    /// Reads a request URI. If only its parameters have faults, they are read as far as possible. A server may have
    /// made it of another one's parts.
    fileprivate init(target: SIPScanner) throws(SIPParseError) {
        do throws(SIPParseError) { self = try URI(whole: target) } catch {
            guard let loose = try? URI(whole: target.loose), loose.sip != nil else { throw error }
            self = loose
        }
    }
}

extension SIPResponse {
    /// `SIP-Version SP Status-Code SP Reason-Phrase`; a phrase that is missing together with its space is read as
    /// empty.
    fileprivate init(startLine: SIPScanner) throws(SIPParseError) {
        var line = startLine
        try line.version()
        guard line.skip(0x20) else { throw line.error(.startLine) }
        let invalid = line.error(.statusCode)
        do throws(SIPParseError) {
            let code = Int(try line.number(upTo: 699))
            guard code >= 100 else { throw invalid }
            self.init(SIPStatus(code), phrase: "")
        } catch {
            throw invalid
        }
        guard line.isAtEnd || line.skip(0x20) else { throw line.error(.startLine) }
        phrase = line.text { _ in true }
    }
}

extension SIPScanner {
    fileprivate mutating func version() throws(SIPParseError) {
        let start = error(.version)
        guard isEqual(range(to: reach { !$0.isSpace }), ignoringCase: "sip/2.0") else { throw start }
    }
}
