import Base

/// A telephone link of a web page, a mail or a document. Schemes: `tel:` (RFC 3966), `sip:` or `sips:` (RFC 3261
/// §19.1).
///
/// The link is untrusted, because its page is. The phone takes only the callee from it and ignores everything else.
package struct DialLink: Equatable, Sendable {
    static let longest = 256

    /// The number or the address, in the form that the method `dial` takes.
    package let target: String
    /// The digits to send after the answer (RFC 3966 §5.3), if any.
    package let extensionDigits: String?

    /// Nil for a text that is no link, such as a number.
    package init?(_ text: String) throws(DialLinkError) {
        // Measure the untrusted text before copying it.
        guard let colon = text.utf8.prefix(5).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        guard ["tel", "sip", "sips"].contains(scheme) else { return nil }
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        var rest = text[text.index(after: colon)...]
        // Some pages write `tel://`, as in links to pages.
        if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
        if scheme == "tel" {
            try self.init(number: rest)
        } else {
            try self.init(scheme: scheme, address: rest)
        }
    }

    private init(number text: Substring) throws(DialLinkError) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        var number = try Self.digits(parts[0])
        var extensionDigits: String?
        for part in parts.dropFirst() {
            let (name, value) = Self.parameter(part)
            switch name {
            case "ext": extensionDigits = try Self.digits(value)
            case "phone-context": number = try Self.number(number, in: value)
            // An unknown mandatory parameter forbids the call (RFC 3966 §3).
            case _ where name.hasPrefix("m-"): throw .unknownDemand(name)
            default: break
            }
        }
        (target, self.extensionDigits) = (number, extensionDigits)
    }

    /// A local number holds only in its context (RFC 3966 §5.1.5): behind a prefix, or in some private network.
    private static func number(_ number: String, in context: Substring) throws(DialLinkError) -> String {
        if number.hasPrefix("+") { return number }
        guard context.hasPrefix("+") else { throw .elsewhere }
        return try digits(context) + number
    }

    /// The digits without visual separators (RFC 3966 §5.1.1), and without the blanks that pages also write.
    private static func digits(_ text: Substring) throws(DialLinkError) -> String {
        let clean = try decoded(text).filter { !"-.() ".contains($0) }
        // Codes with * and # can change a telephone's settings or divert its calls; a page must not do that.
        if clean.contains(where: { $0 == "*" || $0 == "#" }) { throw .code }
        let digits = clean.hasPrefix("+") ? clean.dropFirst() : clean[...]
        guard !digits.isEmpty, digits.isDecimal else { throw .noNumber }
        return clean
    }

    private init(scheme: String, address text: Substring) throws(DialLinkError) {
        // Headers in a link (RFC 3261 §19.1.1), such as Replaces, would let a page control this phone's request.
        let address = text.prefix { $0 != "?" }
        _ = try Self.decoded(address)
        let at = address.lastIndex(of: "@")
        let user = at.map { address[..<$0] }
        if user?.contains(":") == true { throw .password }
        if let user, try Self.decoded(user).contains(where: { $0 == "*" || $0 == "#" }) { throw .code }
        let parts = address[(at.map { address.index(after: $0) } ?? address.startIndex)...].split(
            separator: ";", omittingEmptySubsequences: false)
        guard !parts[0].isEmpty, user?.isEmpty != true else { throw .noNumber }
        var kept = ""
        for part in parts.dropFirst() {
            let (name, value) = Self.parameter(part)
            switch name {
            case "transport", "user": kept += ";\(part)"
            case "method" where value.uppercased() == "INVITE": break
            // Another method is no call. `maddr` would hide the host that is really called.
            case "method", "maddr": throw .unknownDemand(name)
            default: break
            }
        }
        (target, extensionDigits) = ("\(scheme):\(user.map { "\($0)@" } ?? "")\(parts[0])\(kept)", nil)
    }

    private static func parameter(_ text: Substring) -> (name: String, value: Substring) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts[0].lowercased(), parts.count == 2 ? parts[1] : "")
    }

    /// The text with its escapes decoded (RFC 3986 §2.1). Only printable ASCII passes.
    private static func decoded(_ text: Substring) throws(DialLinkError) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let escape = rest.prefix(2)
            guard escape.count == 2, escape.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: escape, as: UTF8.self), radix: 16)
            else { throw .noNumber }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .noNumber }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Why the phone does not dial a link.
package enum DialLinkError: Error, Equatable, CustomStringConvertible {
    case tooLong
    case noNumber
    case code
    case elsewhere
    case password
    /// The link has a mandatory parameter that this phone does not support. With its name.
    case unknownDemand(String)

    package var description: String {
        switch self {
        case .tooLong: "the link is longer than \(DialLink.longest) bytes"
        case .noNumber: "the link has neither a telephone number nor an address"
        case .code: "a link may dial a number, but no code with * or #"
        case .elsewhere: "the link's number is valid only inside a private network"
        case .password: "the link contains a password, so it is not dialled"
        case .unknownDemand(let name): "the link requires \"\(name)\", which this phone does not support in links"
        }
    }
}
