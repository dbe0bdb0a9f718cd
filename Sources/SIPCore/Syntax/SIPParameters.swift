/// The parameters of a URI or of a header's value, in the order in which they were written.
///
/// Names compare without case. A value is held as written, quotes included; `self[name]` gives what it means.
public struct SIPParameters: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        public let name: String
        /// As written, with its quotes; nil when there is only a name.
        public let written: String?
    }

    public private(set) var all: [Parameter] = []

    public init() {}

    public var isEmpty: Bool { all.isEmpty }

    public func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// The value without quotes; empty for a parameter that has only a name; nil without the parameter.
    /// Setting quotes the value where it must be; setting nil removes the parameter.
    public subscript(name: String) -> String? {
        get { index(of: name).map { SIPParameters.unquoted(all[$0].written ?? "") } }
        set {
            guard let newValue else { return all.removeAll { $0.name.equalsIgnoringCase(name) } }
            let plain = !newValue.isEmpty && newValue.utf8.allSatisfy { $0.isParameterValue }
            put(name, written: plain ? newValue : newValue.onOneLine.quoted)
        }
    }

    /// Sets a parameter to a value in quotes, as some headers demand.
    public mutating func setQuoted(_ name: String, _ value: String) { put(name, written: value.onOneLine.quoted) }

    /// Sets a parameter that is only a name.
    public mutating func setFlag(_ name: String) { put(name, written: nil) }

    mutating func append(_ name: String, written: String?) { all.append(Parameter(name: name, written: written)) }

    /// Each parameter behind a separator.
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
    /// `*( SEMI generic-param )` of a header (RFC 3261 §25.1).
    mutating func headerParameters() throws(SIPParseError) -> SIPParameters {
        var parameters = SIPParameters()
        skipSpace()
        while skip(UInt8(ascii: ";")) {
            skipSpace()
            let (name, value) = try genericParameter()
            parameters.append(name, written: value)
            skipSpace()
        }
        return parameters
    }

    /// `token [ EQUAL gen-value ]`
    mutating func genericParameter() throws(SIPParseError) -> (name: String, written: String?) {
        let name = try token()
        skipSpace()
        guard skip(UInt8(ascii: "=")) else { return (name, nil) }
        skipSpace()
        if next == .quote {
            let start = self
            _ = try quotedString()
            var quoted = start
            return (name, quoted.text(to: offset))
        }
        let limit = reach { $0.isParameterValue }
        guard limit > offset else { throw error(.token) }
        return (name, text(to: limit))
    }

    /// `*( ";" uri-parameter )`
    mutating func uriParameters() throws(SIPParseError) -> SIPParameters {
        var parameters = SIPParameters()
        while skip(UInt8(ascii: ";")) {
            let name = try escapedText(.uriParameter) { $0.isURIParameter }
            let hasValue = skip(UInt8(ascii: "="))
            parameters.append(name, written: hasValue ? try escapedText(.uriParameter) { $0.isURIParameter } : nil)
        }
        return parameters
    }
}
