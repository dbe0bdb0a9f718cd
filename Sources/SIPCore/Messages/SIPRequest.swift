/// A request. It is a value that is built by setting its properties.
public struct SIPRequest: Equatable, Sendable {
    public var method: SIPMethod
    public var uri: URI
    public var headers: SIPHeaders
    public var body: [UInt8]

    public init(_ method: SIPMethod, _ uri: URI, headers: SIPHeaders = SIPHeaders(), body: [UInt8] = []) {
        (self.method, self.uri, self.headers, self.body) = (method, uri, headers, body)
    }

    /// The default number of hops that a request may take (RFC 3261 §8.1.1.6).
    public static let hops: UInt32 = 70

    /// A request with everything but a Via, which the transaction layer adds (RFC 3261 §8.1.1).
    /// - Parameters:
    ///   - from: With our tag.
    ///   - to: With the peer's tag only inside a dialog.
    public init(_ method: SIPMethod, _ uri: URI, from: NameAddress, to: NameAddress, callID: String, sequence: UInt32) {
        self.init(method, uri)
        headers.set(.maxForwards, SIPNumber(Self.hops))
        headers.set(.from, from)
        headers.set(.to, to)
        headers[.callID] = callID
        headers.set(.cSeq, CSeq(sequence, method))
    }

    /// The URI to send the request to: the first loose route, else the request URI (RFC 3261 §8.1.2).
    public var nextHop: URI {
        get throws(SIPParseError) {
            guard let first = try headers.routes.first, first.uri.sip?.isLooseRouter == true else { return uri }
            return first.uri
        }
    }

    /// The request on the wire.
    public var bytes: [UInt8] { SIPSerializer.bytes(startLine: "\(method) \(uri.text) SIP/2.0", headers, body) }
}
