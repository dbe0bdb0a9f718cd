/// The parameters of a URI or of a header's value, in the order in which they were written.
///
/// Names compare without case. A value is held as written, quotes included; `self[name]` gives its content.
public struct SIPParameters: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        public let name: String
        /// The value as written, with its quotes; nil when there is only a name.
        public let written: String?
    }

    public private(set) var all: [Parameter] = []

    public init() {}

    public var isEmpty: Bool { all.isEmpty }

    public func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// The value without quotes; empty for a parameter that has only a name; nil without the parameter.
    /// Setting quotes the value where necessary; setting nil removes the parameter.
    public subscript(name: String) -> String? {
        get { index(of: name).map { SIPParameters.unquoted(all[$0].written ?? "") } }
        set {
            guard let newValue else { return all.removeAll { $0.name.equalsIgnoringCase(name) } }
            let plain = !newValue.isEmpty && newValue.utf8.allSatisfy { $0.isParameterValue }
            put(name, written: plain ? newValue : newValue.onOneLine.quoted)
        }
    }

    /// Sets a parameter to a value in quotes, as some headers require.
    public mutating func setQuoted(_ name: String, _ value: String) { put(name, written: value.onOneLine.quoted) }

    /// Sets a parameter that is only a name.
    public mutating func setFlag(_ name: String) { put(name, written: nil) }

    mutating func append(_ name: String, written: String?) { all.append(Parameter(name: name, written: written)) }

    /// The parameters, each one after a separator.
    func text(separator: String) -> String {
        all.reduce(into: "") { text, parameter in
            text += separator + parameter.name
            if let written = parameter.written { text += "=" + written }
        }
    }

    private mutating func put(_ name: String, written: String?) {
        let parameter = Parameter(name: name, written: written)
        if let index = index(of: name) { all[index] = parameter } else { all.append(parameter) }
    }

    private func index(of name: String) -> Int? {
        // The name in a URI may be escaped (RFC 4475 §3.1.1.5).
        all.firstIndex { $0.name.percentDecoded.equalsIgnoringCase(name) }
    }

    private static func unquoted(_ written: String) -> String {
        guard written.utf8.first == .quote else { return written }
        var scanner = SIPScanner(written)
        do throws(SIPParseError) { return try scanner.quotedString() } catch { return written }
    }
}

extension SIPScanner {
    /// `*( SEMI generic-param )` of a header (RFC 3261 §25.1). A loose scanner leaves out those that cannot be read, and
    /// any text between them.
    mutating func headerParameters() throws(SIPParseError) -> SIPParameters {
        var parameters = SIPParameters()
        func take(_ scanner: SIPScanner, _ name: Range<Int>, _ value: Range<Int>?) {
            parameters.append(scanner.text(in: name), written: value.map(scanner.text))
        }
        if isLoose { eachReadableParameter(take) } else { try eachHeaderParameter(take) }
        return parameters
    }

    mutating func skipHeaderParameters() throws(SIPParseError) {
        if isLoose { skip(to: .elementEnd) } else { try eachHeaderParameter { _, _, _ in } }
    }

    private mutating func eachReadableParameter(
        _ body: (SIPScanner, _ name: Range<Int>, _ value: Range<Int>?) -> Void
    ) {
        skip(to: .headerParameterEnd)
        while skip(UInt8(ascii: ";")) {
            skipSpace()
            if let (name, value) = try? skipGenericParameter() { body(self, name, value) }
            skip(to: .headerParameterEnd)
        }
    }

    /// `token [ EQUAL gen-value ]`
    mutating func genericParameter() throws(SIPParseError) -> (name: String, written: String?) {
        let (name, value) = try skipGenericParameter()
        return (text(in: name), value.map(text))
    }

    /// `*( ";" uri-parameter )`
    mutating func uriParameters() throws(SIPParseError) -> SIPParameters {
        var parameters = SIPParameters()
        try eachURIParameter { scanner, name, value in
            parameters.append(scanner.uriText(in: name), written: value.map(scanner.uriText))
        }
        return parameters
    }

    mutating func skipURIParameters() throws(SIPParseError) -> Range<Int> {
        let start = offset
        try eachURIParameter { _, _, _ in }
        return start..<offset
    }

    private mutating func eachHeaderParameter(
        _ body: (SIPScanner, _ name: Range<Int>, _ value: Range<Int>?) -> Void
    ) throws(SIPParseError) {
        skipSpace()
        while skip(UInt8(ascii: ";")) {
            skipSpace()
            let (name, value) = try skipGenericParameter()
            body(self, name, value)
            skipSpace()
        }
    }

    /// Whether no value follows an equals sign, as in `expires=;x`.
    private var isAtParameterEnd: Bool { next.map { $0.isSpace || SIPByteSet.headerParameterEnd.contains($0) } ?? true }

    /// Whether only space is between two semicolons, or after the last one.
    private mutating func skipEmptyParameter() -> Bool {
        skipSpace()
        return isAtEnd || next == UInt8(ascii: ";") || next == UInt8(ascii: "?")
    }

    private mutating func skipGenericParameter() throws(SIPParseError) -> (name: Range<Int>, value: Range<Int>?) {
        let name = try skipToken()
        skipSpace()
        guard skip(UInt8(ascii: "=")) else { return (name, nil) }
        skipSpace()
        guard next != .quote else { return (name, try skipQuotedString()) }
        let limit = reach(in: .parameterValue)
        guard limit > offset || isLoose && isAtParameterEnd else { throw error(.token) }
        return (name, range(to: limit))
    }

    private mutating func eachURIParameter(
        _ body: (SIPScanner, _ name: Range<Int>, _ value: Range<Int>?) -> Void
    ) throws(SIPParseError) {
        while skip(UInt8(ascii: ";")) {
            if isLoose, skipEmptyParameter() { continue }
            let name = try skipURIText(.uriParameter, until: .uriParameterNameEnd)
            let hasValue = skip(UInt8(ascii: "="))
            body(self, name, hasValue ? try skipURIText(.uriParameter, until: .uriParameterEnd) : nil)
        }
    }
}
