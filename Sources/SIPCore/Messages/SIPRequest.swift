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
    public var bytes: [UInt8] { SIPSerializer.bytes(startLine: startLine, headers, body) }

    /// The number of bytes on the wire, counted without writing them.
    package var byteCount: Int { SIPSerializer.count(startLine: startLine, headers, body) }

    private var startLine: String { "\(method) \(uri.text) SIP/2.0" }
}

/// The method of a request. Methods compare with case (RFC 3261 §7.1); unknown ones are kept.
public struct SIPMethod: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// - Parameter name: A token.
    public init(_ name: String) {
        precondition(!name.isEmpty && name.utf8.allSatisfy { $0.isToken }, "a method is a token")
        self.name = name
    }

    /// - Parameter name: A token, as a scanner found it.
    init(token name: String) { self.name = name }

    public var description: String { name }

    public static let ack = SIPMethod("ACK")
    public static let bye = SIPMethod("BYE")
    public static let cancel = SIPMethod("CANCEL")
    public static let info = SIPMethod("INFO")
    public static let invite = SIPMethod("INVITE")
    public static let message = SIPMethod("MESSAGE")
    public static let notify = SIPMethod("NOTIFY")
    public static let options = SIPMethod("OPTIONS")
    public static let prack = SIPMethod("PRACK")
    public static let publish = SIPMethod("PUBLISH")
    public static let refer = SIPMethod("REFER")
    public static let register = SIPMethod("REGISTER")
    public static let subscribe = SIPMethod("SUBSCRIBE")
    public static let update = SIPMethod("UPDATE")

    /// Whether the request is a target refresh, which changes the remote target of a dialog (RFC 3261 §12.2,
    /// RFC 3311 §4, RFC 6665 §4.1).
    var refreshesTarget: Bool { [.invite, .update, .subscribe, .notify, .refer].contains(self) }
}

extension SIPRequest {
    /// The ACK of a failure. It belongs to the INVITE's transaction and has its branch and route (RFC 3261 §17.1.1.3).
    public func acknowledgement(of response: SIPResponse) -> SIPRequest {
        var ack = sameHop(.ack)
        ack.headers[.to] = response.headers[.to] ?? headers[.to]
        return ack
    }

    /// The CANCEL of this request, which must have its Via (RFC 3261 §9.1).
    public func cancellation(because reason: Reason? = nil) -> SIPRequest {
        var cancel = sameHop(.cancel)
        if let reason { cancel.headers.append(.reason, reason) }
        return cancel
    }

    private func sameHop(_ method: SIPMethod) -> SIPRequest {
        var request = SIPRequest(method, uri)
        request.headers[.via] = headers[.via]
        for name in [SIPHeaderName.maxForwards, .route, .from, .to, .callID] {
            request.headers.copy(name, from: headers)
        }
        let sequence = headers[.cSeq]?.prefix { $0 != " " } ?? "0"
        request.headers[.cSeq] = "\(sequence) \(method)"
        return request
    }
}
