/// A response to a request.
public struct SIPResponse: Equatable, Sendable {
    public var status: SIPStatus
    public var phrase: String
    public var headers: SIPHeaders
    public var body: [UInt8]

    public init(_ status: SIPStatus, phrase: String? = nil, headers: SIPHeaders = SIPHeaders(), body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
        self.phrase = (phrase ?? status.phrase).onOneLine
    }

    /// The response on the wire.
    public var bytes: [UInt8] { SIPSerializer.bytes(startLine: "SIP/2.0 \(status.code) \(phrase)", headers, body) }
}

extension SIPRequest {
    /// A response with the headers that it must repeat from its request (RFC 3261 §8.2.6.2, and §12.1.1 for
    /// Record-Route).
    /// - Parameter tag: Our tag, for a To that has none yet; 100 needs none.
    public func response(_ status: SIPStatus, tag: String? = nil, phrase: String? = nil) -> SIPResponse {
        var response = SIPResponse(status, phrase: phrase)
        for name in [SIPHeaderName.via, .recordRoute, .from, .to, .callID, .cSeq] {
            response.headers.copy(name, from: headers)
        }
        if status == .trying { response.headers.copy(.timestamp, from: headers) }
        if let tag { response.headers.addToTag(tag) }
        return response
    }
}

extension SIPHeaders {
    /// Adds a tag to a To that parses and has none; any other To is left as it is.
    fileprivate mutating func addToTag(_ tag: String) {
        do throws(SIPParseError) {
            var to = try to
            guard to.tag == nil else { return }
            to.tag = tag
            set(.to, to)
        } catch {
            return  // A malformed To gets no tag. The response names the fault of the request.
        }
    }
}
