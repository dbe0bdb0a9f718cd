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
