/// A challenge or its answer: a scheme and its parameters (RFC 3261 §20.7, §20.44).
public struct Authentication: SIPHeaderValue {
    public var scheme: String
    public var parameters: SIPParameters

    public init(scheme: String) { (self.scheme, parameters) = (scheme, SIPParameters()) }

    /// One line may contain several challenges: a comma is followed by the next parameter, which has a `=`, or by the
    /// next scheme, which has none.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        scheme = try scanner.token()
        parameters = SIPParameters()
        scanner.skipSpace()
        guard !scanner.isAtEnd, scanner.next != UInt8(ascii: ",") else { return }
        repeat {
            scanner.skipSpace()
            let (name, value) = try scanner.genericParameter()
            guard let value else { throw scanner.error(.expected("=")) }
            parameters.append(name, written: value)
            scanner.skipSpace()
        } while scanner.skipCommaBeforeParameter()
    }

    public var text: String {
        let joined = parameters.all.map { $0.name + ($0.written.map { "=" + $0 } ?? "") }.joined(separator: ", ")
        return joined.isEmpty ? scheme : scheme + " " + joined
    }
}

extension SIPScanner {
    fileprivate mutating func skipCommaBeforeParameter() -> Bool {
        var ahead = self
        guard ahead.skip(UInt8(ascii: ",")) else { return false }
        ahead.skipSpace()
        _ = ahead.text { $0.isToken }
        ahead.skipSpace()
        guard ahead.next == UInt8(ascii: "=") else { return false }
        return skip(UInt8(ascii: ","))
    }
}
