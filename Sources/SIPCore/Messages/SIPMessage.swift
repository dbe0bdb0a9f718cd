import Base

/// A request or a response.
public enum SIPMessage: Equatable, Sendable {
    case request(SIPRequest)
    case response(SIPResponse)

    public var headers: SIPHeaders {
        switch self {
        case .request(let request): request.headers
        case .response(let response): response.headers
        }
    }

    public var body: [UInt8] {
        switch self {
        case .request(let request): request.body
        case .response(let response): response.body
        }
    }

    /// The message on the wire. Reading it again gives an equal message.
    public var bytes: [UInt8] {
        switch self {
        case .request(let request): request.bytes
        case .response(let response): response.bytes
        }
    }

    /// Whether bytes may be a SIP message. A message begins with a character of a token, because a method is a token.
    /// Only line breaks may precede it (RFC 3261 §7.5, §25.1). Other bytes need not be parsed.
    public static func mayBegin(_ bytes: [UInt8]) -> Bool {
        bytes.first { $0 != 0x0D && $0 != 0x0A }.map { SIPByteSet.token.contains($0) } ?? false
    }
}

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
        try checkRequired(.callID, as: CallIDHeader.self)
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

/// Writes messages into one buffer of the right size. It always writes Content-Length from the body.
enum SIPSerializer {
    private static let lengthField = "Content-Length: "

    /// The number of bytes that `bytes` writes.
    static func count(startLine: String, _ headers: SIPHeaders, _ body: [UInt8]) -> Int {
        let length = lengthField.utf8.count + String(body.count).utf8.count
        return startLine.utf8.count + 2 + headers.writtenCount + length + 4 + body.count
    }

    static func bytes(startLine: String, _ headers: SIPHeaders, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count(startLine: startLine, headers, body))
        bytes += startLine.utf8
        bytes += [.cr, .lf]
        headers.write(into: &bytes)
        bytes += lengthField.utf8
        bytes += String(body.count).utf8
        bytes += [.cr, .lf, .cr, .lf]
        bytes += body
        return bytes
    }
}

extension SIPHeaders {
    /// The number of bytes that `write` writes.
    fileprivate var writtenCount: Int {
        entries.reduce(0) { isWritten($1) ? $0 + nameCount(of: $1) + $1.value.count + 4 : $0 }
    }

    private func isWritten(_ entry: Entry) -> Bool { entry.code != SIPHeaderName.contentLength.code }

    fileprivate func write(into output: inout [UInt8]) {
        for entry in entries where isWritten(entry) {
            if entry.code == 0 {
                output += bytes[entry.name]
            } else {
                output += SIPHeaderName.known.names[Int(entry.code)].text.utf8
            }
            output.append(UInt8(ascii: ":"))
            output.append(0x20)
            output += bytes[entry.value]
            output.append(.cr)
            output.append(.lf)
        }
    }

    private func nameCount(of entry: Entry) -> Int {
        entry.code == 0 ? entry.name.count : SIPHeaderName.known.names[Int(entry.code)].text.utf8.count
    }
}
