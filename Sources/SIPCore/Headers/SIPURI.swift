import Base

/// `sip:user:password@host:port;parameters?headers` (RFC 3261 §19.1), escapes kept as written.
public struct SIPURI: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable { case sip, sips }

    public var scheme: Scheme
    /// The text before the `@`, with its escapes as written; nil without one. It has no blank, quote or angle bracket.
    public var userinfo: String?
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    public var host: String
    public var port: UInt16?
    public var parameters: SIPParameters
    /// The text after the `?`, as written.
    public var headers: String?

    /// - Parameters:
    ///   - user: Plain text; characters are escaped where necessary.
    ///   - host: A name or a numeric address, without brackets.
    public init(_ scheme: Scheme = .sip, user: String? = nil, host: String, port: UInt16? = nil) {
        precondition(
            !host.isEmpty && host.utf8.allSatisfy { $0.isHostname || $0 == UInt8(ascii: ":") }, "not a host name")
        (self.scheme, self.host, self.port) = (scheme, host, port)
        userinfo = user?.percentEncoded { $0.isUserinfo && $0 != UInt8(ascii: ":") }
        (parameters, headers) = (SIPParameters(), nil)
    }

    /// Makes a URI of ranges that were read already.
    init(_ shape: Shape, in scanner: SIPScanner) throws(SIPParseError) {
        (scheme, port) = (shape.scheme, shape.port)
        userinfo = shape.userinfo.map(scanner.uriText)
        host = scanner.text(in: shape.host)
        var behind = scanner.part(shape.parameters)
        parameters = try behind.uriParameters()
        headers = shape.headers.map(scanner.uriText)
    }

    /// The user in plain text, without a password.
    public var user: String? {
        userinfo.map { info in info.prefix { $0 != ":" }.description.percentDecoded }
    }

    /// The transport that the URI asks for, in lower case.
    public var transport: String? { parameters["transport"]?.asciiLowercased }

    /// Whether this proxy routes loosely (RFC 3261 §19.1.1 `lr`).
    public var isLooseRouter: Bool { parameters.contains("lr") }

    public var text: String {
        var text = scheme.rawValue + ":"
        if let userinfo { text += userinfo + "@" }
        text += host.inBrackets
        if let port { text += ":\(port)" }
        text += parameters.text(separator: ";")
        if let headers { text += "?" + headers }
        return text
    }

    /// RFC 3261 §19.1.4: the user is compared with case, the host without. Parameters that both have must be equal.
    /// Those that change where or how a request goes must be in both or in neither. Header parts are compared as text.
    public func isEquivalent(to other: SIPURI) -> Bool {
        scheme == other.scheme && userinfo?.percentDecoded == other.userinfo?.percentDecoded
            && host.equalsIgnoringCase(other.host) && port == other.port && headers == other.headers
            && agrees(with: other) && other.agrees(with: self)
    }

    private func agrees(with other: SIPURI) -> Bool {
        let binding = ["user", "ttl", "method", "maddr", "transport"]
        return parameters.all.allSatisfy { parameter in
            let name = parameter.name.percentDecoded
            guard let theirs = other.parameters[name] else { return !binding.contains(name.asciiLowercased) }
            return theirs.percentDecoded.equalsIgnoringCase((parameter.written ?? "").percentDecoded)
        }
    }
}

extension SIPURI {
    /// The ranges of a URI's parts: its grammar, without its text.
    struct Shape {
        let scheme: Scheme
        let userinfo: Range<Int>?
        let host: Range<Int>
        let port: UInt16?
        let parameters: Range<Int>
        let headers: Range<Int>?

        /// Reads what follows the scheme's colon, up to the end of the scanner.
        init(_ scheme: Scheme, from scanner: inout SIPScanner) throws(SIPParseError) {
            self.scheme = scheme
            if scanner.contains(UInt8(ascii: "@")) {
                let isEmpty = scanner.isLoose && scanner.next == UInt8(ascii: "@")
                userinfo = isEmpty ? nil : try scanner.skipURIText(.userinfo, until: .userinfoEnd)
                try scanner.expect(UInt8(ascii: "@"))
            } else {
                userinfo = nil
            }
            host = try scanner.skipHost()
            port = try scanner.port()
            parameters = try scanner.skipURIParameters()
            headers =
                scanner.skip(UInt8(ascii: "?"))
                ? try scanner.skipURIText(.uriParameter, until: .uriHeaderEnd) : nil
        }
    }
}

/// The part of a URI that becomes headers of its request: `?Replaces=…&Subject=…` (RFC 3261 §19.1.1).
extension SIPURI {
    /// The first header of this name, without escapes; nil without one. The reader must decide whether to honour it
    /// (RFC 3261 §19.1.5).
    public func header(_ name: SIPHeaderName) -> String? {
        guard let part = parts.first(where: { Self.name(of: $0) == name }) else { return nil }
        return String(part.drop { $0 != "=" }.dropFirst()).percentDecoded
    }

    /// Sets a header, escaping what must be escaped, in place of others of its name; nil removes them.
    public mutating func setHeader(_ name: SIPHeaderName, _ value: String?) {
        let plain: (UInt8) -> Bool = { $0.isURIHeader && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "=") }
        let kept = parts.filter { Self.name(of: $0) != name }.map(String.init)
        let new = value.map { name.text.percentEncoded(keeping: plain) + "=" + $0.percentEncoded(keeping: plain) }
        let joined = (kept + (new.map { [$0] } ?? [])).joined(separator: "&")
        headers = joined.isEmpty ? nil : joined
    }

    /// The dialog that a call to this URI is to replace (RFC 3891 §3, RFC 5589 §7).
    public var replaces: Replaces? {
        get throws(SIPParseError) {
            guard let text = header(.replaces) else { return nil }
            do throws(SIPParseError) { return try Replaces(text) } catch { throw error.inside(.replaces) }
        }
    }

    private var parts: [Substring] { headers?.split(separator: "&") ?? [] }

    private static func name(of part: Substring) -> SIPHeaderName {
        SIPHeaderName(part.prefix { $0 != "=" }.description.percentDecoded)
    }
}
