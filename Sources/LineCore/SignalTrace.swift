import Base
import SIPCore

/// A line's message as it was on the wire. It is masked when it is read, and never shows a secret.
public struct SignalTrace: Equatable, Sendable {
    public enum Direction: String, Sendable { case sent, received }

    public let at: Instant
    public let direction: Direction
    public let flow: Flow
    /// The bytes with their secrets. Only masked bytes leave this value.
    private let message: Redacted<[UInt8]>
    private let showsDigits: Bool

    /// - Parameter showsDigits: Whether to show digits that are sent in a call, which may be a PIN.
    init(_ bytes: [UInt8], _ direction: Direction, _ flow: Flow, at now: Instant, showsDigits: Bool) {
        self.showsDigits = showsDigits
        self.at = now
        self.direction = direction
        self.flow = flow
        message = Redacted(bytes)
    }

    /// The whole message, in which each byte of a secret is a `*` or an `x`. Secrets are credentials, media keys,
    /// passwords of ICE and of URIs, and digits unless they may be shown. Cost: one pass over the bytes.
    public var masked: [UInt8] { SignalMask.masked(message.reveal(), showsDigits: showsDigits) }
}

/// Masks the secrets of a message.
///
/// It works on lines of bytes, not on a parsed message, so that it also hides the secrets of malformed, truncated or
/// embedded messages. Each byte of a secret becomes a `*`, so that every length and offset stays correct. The bytes of
/// a media key become an `x`, because Wireshark rejects a session description whose keys are not base64.
struct SignalMask {
    /// The parameters of credentials (RFC 3261 §20.7) that may be shown. The others would help to guess a password.
    private static let harmless: Set<String> = ["username", "realm", "uri", "algorithm", "qop", "nc"]
    private static let credentials: Set<String> = [
        "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info",
    ]
    /// Lines of a session description that hold a secret after their colon or equals sign.
    private static let secretLines = ["a=ice-pwd:", "a=key-mgmt:", "k="]
    private static let cryptoLine = "a=crypto:"
    /// The name before a digit that is sent in a call, in the body of an INFO.
    private static let digitLine = "signal"
    private static let contentTypes: Set<String> = ["content-type", "c"]
    private static let digitType = "application/dtmf"
    /// The longest header name that is compared.
    private static let longestName = 32

    private var bytes: [UInt8]
    private let showsDigits: Bool
    /// Whether only digits follow the next empty line.
    private var announcesDigits = false

    /// Total. Cost: linear in the bytes.
    /// - Parameter showsDigits: Whether to show digits that are sent in a call, which may be a PIN.
    static func masked(_ message: [UInt8], showsDigits: Bool) -> [UInt8] {
        var mask = SignalMask(bytes: message, showsDigits: showsDigits)
        var start = 0
        while start < mask.bytes.count {
            let end = mask.endOfLine(from: start)
            if mask.announcesDigits, mask.isEmptyLine(start..<end) {
                // Masks the whole rest, without a look at its lines.
                mask.blot(end..<mask.bytes.count)
                break
            }
            mask.mask(start..<end)
            start = end + 1
        }
        return mask.bytes
    }

    /// Whether a line is empty. The position between the two bytes of a line break does not count as a line.
    private func isEmptyLine(_ line: Range<Int>) -> Bool {
        guard line.isEmpty, line.lowerBound < bytes.count, line.lowerBound > 0 else { return false }
        return !(bytes[line.lowerBound - 1] == 0x0D && bytes[line.lowerBound] == 0x0A)
    }

    /// The line break before which a line ends, after its folded lines (RFC 3261 §7.3.1), or the end of the message.
    private func endOfLine(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if bytes[index].isBreak {
                let isPair = index + 1 < bytes.count && bytes[index] == 0x0D && bytes[index + 1] == 0x0A
                let next = index + (isPair ? 2 : 1)
                guard next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 else { return index }
            }
            index += 1
        }
        return index
    }

    private mutating func mask(_ line: Range<Int>) {
        maskPasswords(in: line)
        if let name = headerName(of: line), Self.credentials.contains(name) {
            maskCredentials(in: line.lowerBound + name.utf8.count..<line.upperBound)
        } else if begins(line, with: Self.cryptoLine) {
            maskKeys(in: line)
        } else if let secret = Self.secretLines.first(where: { begins(line, with: $0) }) {
            blot(line.lowerBound + secret.utf8.count..<line.upperBound)
        }
        if !showsDigits { maskDigits(in: line) }
    }

    // MARK: Digits

    /// Masks `Signal=5` in a body of `application/dtmf-relay`. A body of `application/dtmf` is only the digit.
    private mutating func maskDigits(in line: Range<Int>) {
        guard let name = headerName(of: line) else { return }
        let value = bytes[line].dropFirst(name.utf8.count).drop { $0.isBlank }
        if name == Self.digitLine, value.first == UInt8(ascii: "=") {
            blot(value.startIndex + 1..<line.upperBound)
        } else if Self.contentTypes.contains(name), value.first == UInt8(ascii: ":") {
            let type = value.dropFirst().drop { $0.isBlank }
            announcesDigits = begins(type.startIndex..<line.upperBound, with: Self.digitType)
        }
    }

    // MARK: Credentials

    /// The header name in lower case. Nil for a line that is not a header. White space may follow the name before the
    /// colon.
    private func headerName(of line: Range<Int>) -> String? {
        let name = bytes[line].prefix(Self.longestName).prefix { $0 == 0x2D || ($0 | 0x20).isLowercaseLetter }
        return name.isEmpty ? nil : String(decoding: name.map { $0 | 0x20 }, as: UTF8.self)
    }

    /// Keeps the scheme and the harmless parameters.
    private mutating func maskCredentials(in value: Range<Int>) {
        var index = value.lowerBound
        // Skips the scheme, which is a word without a following `=`. Authentication-Info has no scheme.
        var ahead = value.lowerBound
        while ahead < value.upperBound, bytes[ahead] == UInt8(ascii: ":") || bytes[ahead].isBlank { ahead += 1 }
        let word = ahead
        while ahead < value.upperBound, !bytes[ahead].isBlank, bytes[ahead] != UInt8(ascii: "=") { ahead += 1 }
        if ahead < value.upperBound, bytes[ahead].isBlank {
            index = ahead
            let isDigest = String(decoding: bytes[word..<ahead], as: UTF8.self).lowercased() == "digest"
            guard isDigest else { return blot(ahead..<value.upperBound) }
        } else {
            index = word
        }
        while index < value.upperBound { index = maskParameter(from: index, to: value.upperBound) }
    }

    /// Skips the commas before a `name=value`, and masks its value unless it may be shown.
    private mutating func maskParameter(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, bytes[index].isBlank || bytes[index] == UInt8(ascii: ",") { index += 1 }
        let name = index
        while index < end, bytes[index] != UInt8(ascii: "="), bytes[index] != UInt8(ascii: ",") { index += 1 }
        guard index < end, bytes[index] == UInt8(ascii: "=") else {
            blot(name..<index)
            return index
        }
        let word = String(decoding: bytes[name..<index].filter { !$0.isBlank }, as: UTF8.self).lowercased()
        let value = index + 1
        index = endOfValue(from: value, to: end)
        if !Self.harmless.contains(word) { blot(value..<index) }
        return index
    }

    private static let quote: UInt8 = 0x22
    private static let backslash: UInt8 = 0x5C

    /// The index after a quoted string, else the index of the next comma.
    private func endOfValue(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end, bytes[index].isBlank { index += 1 }
        guard index < end, bytes[index] == Self.quote else {
            return bytes[index..<end].firstIndex(of: UInt8(ascii: ",")) ?? end
        }
        index += 1
        while index < end, bytes[index] != Self.quote { index += bytes[index] == Self.backslash ? 2 : 1 }
        return min(end, index + 1)
    }

    // MARK: Keys and passwords

    /// Masks the key in every `inline:KEY|lifetime|MKI` of a line (RFC 4568 §6.1).
    private mutating func maskKeys(in line: Range<Int>) {
        var index = line.lowerBound
        while index < line.upperBound {
            guard begins(index..<line.upperBound, with: "inline:") else {
                index += 1
                continue
            }
            let start = index + 7
            index =
                bytes[start..<line.upperBound].firstIndex { $0.isBlank || $0 == 0x3B || $0 == 0x7C } ?? line.upperBound
            blot(start..<index, with: UInt8(ascii: "x"))
        }
    }

    /// Masks the password in `sip:user:password@host` and `https://user:password@host` (RFC 3261 §19.1.1, RFC 3986
    /// §3.2.1).
    private mutating func maskPasswords(in line: Range<Int>) {
        var word = line.lowerBound
        var isAddress = false
        /// The index at which a password would begin.
        var secret: Int?
        for index in line {
            switch bytes[index] {
            case 0x20, 0x09, 0x0D, 0x0A, UInt8(ascii: "<"), Self.quote, UInt8(ascii: "/"):
                (word, secret) = (index + 1, nil)
                isAddress = bytes[index] == UInt8(ascii: "/")
            case UInt8(ascii: ":"):
                if isScheme(word..<index) { isAddress = true } else { secret = secret ?? index + 1 }
            case UInt8(ascii: "@"):
                guard isAddress, let start = secret else { continue }
                blot(start..<index)
                secret = index
            default: break
            }
        }
    }

    private func isScheme(_ word: Range<Int>) -> Bool {
        (3...4).contains(word.count) && (begins(word, with: "sips") || word.count == 3 && begins(word, with: "sip"))
    }

    // MARK: Bytes

    private func begins(_ range: Range<Int>, with text: String) -> Bool {
        bytes[range].prefix(text.utf8.count).lazy.map { $0.asciiLowercased }.elementsEqual(text.utf8)
    }

    /// Keeps line breaks, so that the lines after them keep their meaning.
    private mutating func blot(_ range: Range<Int>, with letter: UInt8 = UInt8(ascii: "*")) {
        for index in range where !bytes[index].isBreak { bytes[index] = letter }
    }
}

extension UInt8 {
    fileprivate var isBreak: Bool { self == 0x0D || self == 0x0A }
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || isBreak }
    fileprivate var isLowercaseLetter: Bool { (0x61...0x7A).contains(self) }
}
