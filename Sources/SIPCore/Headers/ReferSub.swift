/// Whether a REFER makes a subscription that reports its progress (RFC 4488 §4).
public struct ReferSub: SIPHeaderValue {
    public var isWanted: Bool
    public var parameters = SIPParameters()

    public init(_ isWanted: Bool) { self.isWanted = isWanted }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let start = scanner.error(.token)
        switch try scanner.token().asciiLowercased {
        case "true": isWanted = true
        case "false": isWanted = false
        default: throw start
        }
        parameters = try scanner.headerParameters()
    }

    public var text: String { "\(isWanted)" + parameters.text(separator: ";") }
}

extension SIPHeaders {
    public var referSub: ReferSub? { get throws(SIPParseError) { try single(.referSub) } }
}
