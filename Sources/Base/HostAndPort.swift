/// A host with or without a port, as in `pbx.example`, `192.0.2.7:5061` or `[2001:db8::7]:5061` (RFC 3986 §3.2).
public struct HostAndPort: Equatable, Sendable {
    /// As it was written, without brackets. Only an address in brackets is checked; a name may be any text without a
    /// colon, even an empty one.
    public let host: String
    /// Whether the host was in brackets, so it is an IPv6 address.
    public let isVersion6: Bool
    /// Never 0. Nil: none was given.
    public let port: UInt16?

    /// Nil if the brackets hold no IPv6 address, or if the port is not a number from 1 to 65535.
    public init?(_ text: some StringProtocol) {
        let text = Substring(text)
        isVersion6 = text.hasPrefix("[")
        let rest: Substring
        if isVersion6 {
            guard let close = text.firstIndex(of: "]") else { return nil }
            host = String(text[..<close].dropFirst())
            rest = text[text.index(after: close)...]
            guard IPAddress(host)?.isVersion6 == true else { return nil }
        } else {
            host = String(text.prefix { $0 != ":" })
            rest = text.drop { $0 != ":" }
        }
        guard !rest.isEmpty else {
            port = nil
            return
        }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.isDecimal, let port = UInt16(digits), port > 0 else { return nil }
        self.port = port
    }
}

extension StringProtocol {
    /// The host as addresses of resources have it: an IPv6 address in brackets (RFC 3986 §3.2.2).
    public var inBrackets: String { utf8.contains(UInt8(ascii: ":")) ? "[\(self)]" : String(self) }

    /// Whether all characters are the digits 0 to 9. Conversions to numbers also accept a sign.
    public var isDecimal: Bool { utf8.allSatisfy(\.isDigit) }
}

extension UInt8 {
    /// Whether it is one of the digits 0 to 9 in ASCII.
    @inlinable public var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }

    /// Whether it is one of the letters A to Z or a to z in ASCII.
    @inlinable public var isLetter: Bool { UInt8(ascii: "a") <= self | 0x20 && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether it is a digit of a hexadecimal number in ASCII.
    @inlinable public var isHexDigit: Bool {
        isDigit || UInt8(ascii: "a") <= self | 0x20 && self | 0x20 <= UInt8(ascii: "f")
    }
}
