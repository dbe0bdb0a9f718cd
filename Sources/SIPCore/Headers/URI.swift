import Base

/// Any URI that SIP may carry.
public enum URI: Hashable, Sendable {
    case sip(SIPURI)
    case tel(TelURI)
    /// Another scheme, kept as received. From a header, this may also be an invalid address: it can be shown and sent
    /// back, but nothing can be sent to it.
    case other(scheme: String, rest: String)

    /// Reads text that is a URI and nothing else.
    public init(_ text: String) throws(SIPParseError) { try self.init(whole: SIPScanner(text)) }

    public var text: String {
        switch self {
        case .sip(let uri): uri.text
        case .tel(let uri): uri.text
        case .other(let scheme, let rest): scheme + ":" + rest
        }
    }

    public var sip: SIPURI? {
        switch self {
        case .sip(let uri): uri
        case .tel, .other: nil
        }
    }

    /// Whether it follows its grammar. If not, no request may be sent to it, because no server could parse that
    /// request.
    public var isValid: Bool {
        guard case .other(let scheme, _) = self else { return true }
        return !["sip", "sips", "tel"].contains(scheme.lowercased())
    }

    /// Whether both name the same resource (RFC 3261 §19.1.4, RFC 3966 §4; text elsewhere).
    public func isEquivalent(to other: URI) -> Bool {
        switch (self, other) {
        case (.sip(let left), .sip(let right)): left.isEquivalent(to: right)
        case (.tel(let left), .tel(let right)): left.isEquivalent(to: right)
        case (.other, .other), (.sip, .tel), (.sip, .other), (.tel, .sip), (.tel, .other), (.other, .sip),
            (.other, .tel):
            self == other
        }
    }

    /// Reads everything up to the scanner's end as the URI.
    init(whole source: SIPScanner) throws(SIPParseError) { self = try URI(Shape(whole: source), in: source) }

    /// Makes a URI of ranges that were read already.
    init(_ shape: Shape, in scanner: SIPScanner) throws(SIPParseError) {
        switch shape {
        case .sip(let uri): self = .sip(try SIPURI(uri, in: scanner))
        case .tel(let number, let parameters):
            self = .tel(try TelURI(number: number, parameters: parameters, in: scanner))
        case .other(let scheme, let rest):
            self = .other(scheme: scanner.text(in: scheme), rest: scanner.uriText(in: rest))
        }
    }
}

extension URI {
    /// The ranges of a URI's parts: its grammar, without its text.
    enum Shape {
        case sip(SIPURI.Shape)
        case tel(number: Range<Int>, parameters: Range<Int>)
        case other(scheme: Range<Int>, rest: Range<Int>)

        /// A loose scanner reads an invalid URI as one of an unknown scheme.
        init(whole source: SIPScanner) throws(SIPParseError) {
            do throws(SIPParseError) {
                try self.init(valid: source)
            } catch {
                guard source.isLoose, let unread = Shape(unread: source) else { throw error }
                self = unread
            }
        }

        private init?(unread source: SIPScanner) {
            var scanner = source
            let scheme = scanner.range(to: scanner.schemeEnd)
            guard source.next?.isLetter == true, scanner.skip(UInt8(ascii: ":")), !scanner.isAtEnd else { return nil }
            self = .other(scheme: scheme, rest: scanner.range(to: scanner.reach { _ in true }))
        }

        private init(valid source: SIPScanner) throws(SIPParseError) {
            var scanner = source
            let limit = scanner.schemeEnd
            guard let first = scanner.next, first.isLetter, limit > scanner.offset else { throw scanner.error(.scheme) }
            let start = scanner.error(.scheme)
            let scheme = scanner.range(to: limit)
            guard scanner.skip(UInt8(ascii: ":")) else { throw start }
            if scanner.isEqual(scheme, ignoringCase: "sip") {
                self = .sip(try SIPURI.Shape(.sip, from: &scanner))
            } else if scanner.isEqual(scheme, ignoringCase: "sips") {
                self = .sip(try SIPURI.Shape(.sips, from: &scanner))
            } else if scanner.isEqual(scheme, ignoringCase: "tel") {
                self = .tel(number: try scanner.skipNumber(), parameters: try scanner.skipURIParameters())
            } else {
                let rest = scanner.range(
                    to: scanner.reach {
                        $0.isVisible && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != .quote
                    })
                guard !rest.isEmpty else { throw scanner.error(.scheme) }
                self = .other(scheme: scheme, rest: rest)
            }
            try scanner.expectEnd()
        }

        /// Whether there is text after a `?`.
        var hasHeaders: Bool {
            switch self {
            case .sip(let uri): uri.headers != nil
            case .tel, .other: false
            }
        }
    }
}

extension SIPScanner {
    /// The end of a scheme that begins here.
    fileprivate var schemeEnd: Int {
        reach { $0.isAlphanumeric || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }
}

/// `tel:+15551234;phone-context=…` (RFC 3966).
public struct TelURI: Hashable, Sendable {
    /// Digits, `*`, `#`, A–F, with a leading `+` when the number is global; visual separators as written.
    public var number: String
    public var parameters: SIPParameters

    /// Makes a URI of ranges that were read already.
    init(number: Range<Int>, parameters: Range<Int>, in scanner: SIPScanner) throws(SIPParseError) {
        self.number = scanner.text(in: number)
        var behind = scanner.part(parameters)
        self.parameters = try behind.uriParameters()
    }

    public var text: String { "tel:" + number + parameters.text(separator: ";") }

    /// The number without visual separators.
    public var digits: String {
        let separators = Array("-.()".utf8)
        return String(decoding: number.utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// RFC 3966 §4: separators and case do not count, parameters do.
    public func isEquivalent(to other: TelURI) -> Bool {
        digits.equalsIgnoringCase(other.digits) && parameters.all.count == other.parameters.all.count
            && parameters.all.allSatisfy { parameter in
                other.parameters[parameter.name]?.equalsIgnoringCase(parameter.written ?? "") ?? false
            }
    }
}

extension SIPScanner {
    /// Reads digits and the characters that may be between them.
    mutating func skipNumber() throws(SIPParseError) -> Range<Int> {
        let limit = reach { $0.hexValue != nil || SIPByteSet.dialled.contains($0) }
        guard limit > offset else { throw error(.userinfo) }
        return range(to: limit)
    }
}
