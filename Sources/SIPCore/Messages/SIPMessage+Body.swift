/// Finds the body of one type in a message, alone or among the parts of a multipart body.
///
/// The result is nil when there is no such body. The sender of a request decides which bodies may be ignored: without
/// `handling=optional`, a body that is not understood is a fault (RFC 3261 §20.11). A response or an ACK cannot be
/// refused, so a body that is not understood is skipped there. Of alternatives, the last one that is understood counts
/// (RFC 2046 §5.1.4). A body without Content-Type is assumed to have the type that the reader looks for, because some
/// peers omit the header.
extension SIPRequest {
    public func body(of type: MediaType) throws(BodyFault) -> [UInt8]? {
        try BodySearch(type: type, mayRefuse: method != .ack).body(in: headers, body)
    }
}

extension SIPResponse {
    public func body(of type: MediaType) throws(BodyFault) -> [UInt8]? {
        try BodySearch(type: type, mayRefuse: false).body(in: headers, body)
    }
}

/// The type to find, and whether another body may be a reason for a refusal.
private struct BodySearch {
    let type: MediaType
    let mayRefuse: Bool

    func body(in headers: SIPHeaders, _ bytes: [UInt8]) throws(BodyFault) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        let kind = try BodyKind(headers, otherwise: type)
        guard kind.type.multipartSubtype != nil, kind.encoding == nil else { return try accept(bytes, kind) }
        let parts: MultipartBody
        do throws(MultipartError) { parts = try MultipartBody(bytes, kind.type) } catch { throw .multipart(error) }
        return try body(in: parts, kind)
    }

    private func accept(_ bytes: [UInt8], _ kind: BodyKind) throws(BodyFault) -> [UInt8]? {
        if kind.encoding == nil, kind.type.name == type.name, !kind.isEarlySession { return bytes }
        return try leave(kind)
    }

    /// Skips a body that is not understood, or throws if it may not be skipped.
    private func leave(_ kind: BodyKind) throws(BodyFault) -> [UInt8]? {
        guard mayRefuse, !kind.isOptional else { return nil }
        throw kind.encoding.map { .encoded($0) } ?? .notUnderstood(kind.type.name)
    }

    private func body(in parts: MultipartBody, _ kind: BodyKind) throws(BodyFault) -> [UInt8]? {
        switch parts.subtype {
        case "alternative": if let body = try best(of: parts) { body } else { try leave(kind) }
        // The first part is the content; the others help to show it or to prove it (RFC 2387 §3.2, RFC 1847 §2.1).
        case "related", "signed": try body(in: parts.parts[0])
        // An unknown subtype is treated as `mixed` (RFC 2046 §5.1.3).
        default: try first(of: parts)
        }
    }

    private func body(in part: MultipartBody.Part) throws(BodyFault) -> [UInt8]? {
        // The default type of a part is `text/plain` (RFC 2046 §5.1).
        let kind = try BodyKind(part.headers, otherwise: MediaType(name: "text/plain"))
        switch part.content {
        case .bytes(let bytes): return try accept(bytes, kind)
        case .parts(let parts): return try body(in: parts, kind)
        }
    }

    /// Reads every part, because every part must be understood.
    private func first(of parts: MultipartBody) throws(BodyFault) -> [UInt8]? {
        var found: [UInt8]?
        for part in parts.parts {
            let body = try body(in: part)
            found = found ?? body
        }
        return found
    }

    /// One alternative that is understood is enough, so one that is not understood is no fault.
    private func best(of parts: MultipartBody) throws(BodyFault) -> [UInt8]? {
        let lenient = BodySearch(type: type, mayRefuse: false)
        for part in parts.parts.reversed() {
            if let body = try lenient.body(in: part) { return body }
        }
        return nil
    }
}

/// A body's type, encoding and disposition, from its headers.
private struct BodyKind {
    let type: MediaType
    /// Nil when the body is not encoded.
    let encoding: String?
    let isOptional: Bool
    /// Whether the body describes early media and not the session (RFC 3959 §4).
    let isEarlySession: Bool

    init(_ headers: SIPHeaders, otherwise type: MediaType) throws(BodyFault) {
        do throws(SIPParseError) {
            self.type = try headers.contentType ?? type
            encoding = try headers.tokens(.contentEncoding).first { !$0.equalsIgnoringCase("identity") }
            let disposition = try headers.contentDisposition
            isOptional = disposition?.isOptional ?? false
            isEarlySession = disposition?.type == "early-session"
        } catch {
            throw .header(error)
        }
    }
}

/// Why a body cannot be used.
public enum BodyFault: Error, Hashable, Sendable {
    /// Content-Type, Content-Encoding or Content-Disposition is malformed.
    case header(SIPParseError)
    case multipart(MultipartError)
    /// The body, or a part of it, has a type that the reader does not know and may not ignore (RFC 3261 §8.2.3).
    case notUnderstood(String)
    /// The body has a content encoding that the reader does not know.
    case encoded(String)

    /// The status of the response to a request with this fault.
    public var status: SIPStatus {
        switch self {
        case .header, .multipart: .badRequest
        case .notUnderstood, .encoded: .unsupportedMediaType
        }
    }
}
