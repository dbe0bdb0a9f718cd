extension SessionDescription {
    /// Parses a description. Total: any bytes give a description or an exact error. Lines may end with LF alone
    /// (RFC 8866 §5).
    ///
    /// RFC 8866 §5 lets a parser reject a description for any line. This one rejects it only for a line that the answer
    /// depends on, because a call should not fail over a session name.
    ///
    /// Cost: O(bytes); memory is bounded by `SDPLimits`.
    public init(parsing bytes: [UInt8]) throws(SDPParseError) {
        guard bytes.count <= SDPLimits.bytes else { throw SDPParseError(line: 1, .tooManyBytes) }
        var parser = SDPParser()
        var number = 0
        for raw in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
            number += 1
            guard number <= SDPLimits.lines else { throw SDPParseError(line: number, .tooManyLines) }
            do {
                try parser.take(raw)
            } catch {
                throw SDPParseError(line: number, error)
            }
        }
        guard number > 0 else { throw SDPParseError(line: 1, .empty) }
        do {
            self = try parser.finish()
        } catch {
            throw SDPParseError(line: number, error)
        }
    }
}

/// Collects lines into a description. The lines so far determine which lines may follow.
private struct SDPParser {
    typealias Problem = SDPParseError.Problem

    private var hasVersion = false
    private var origin: SessionDescription.Origin?
    private var name: String?
    private var hosts: [String] = []
    private var attributes: [SessionDescription.Attribute] = []
    private var media: [MediaDescription] = []

    mutating func take(_ raw: ArraySlice<UInt8>) throws(Problem) {
        let bytes = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
        if bytes.isEmpty { return }
        let isLine = bytes.count >= 2 && bytes[bytes.startIndex + 1] == UInt8(ascii: "=")
        let type: Character = isLine ? Character(Unicode.Scalar(bytes[bytes.startIndex])) : " "
        switch (type, Self.text(bytes.dropFirst(2))) {
        case ("v", let text): try take(version: text)
        case (_, _) where !hasVersion: throw .missingVersion
        case ("m", let text):
            guard media.count < SDPLimits.mediaLines else { throw .tooManyMediaLines }
            guard let text else { throw .malformedMedia }
            media.append(try Self.media(text))
        case ("o", let text?) where origin == nil && media.isEmpty: origin = Self.origin(text)
        case ("s", let text?) where name == nil && media.isEmpty: name = text
        // An unusable host is kept, so that no other host replaces it.
        case ("c", let text): take(host: text.flatMap(Self.connection) ?? "")
        case ("a", let text?): take(attribute: text)
        // No decision depends on any other line: another type, a repeated line, or unreadable text.
        case (_, _): break
        }
    }

    /// Nil for a line that is too long, is not UTF-8, or has control characters. Values may appear in our answer, so
    /// they must stay on one line.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count <= SDPLimits.lineBytes,
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { return nil }
        let separated = bytes.map { $0 == 0x09 ? 0x20 : $0 }
        return String(validating: separated, as: UTF8.self)?.trimmed
    }

    private mutating func take(version: String?) throws(Problem) {
        guard !hasVersion else { return }
        guard version == "0" else { throw .unsupportedVersion }
        hasVersion = true
    }

    private mutating func take(host value: String) {
        if let last = media.indices.last { media[last].hosts.append(value) } else { hosts.append(value) }
    }

    private mutating func take(attribute value: String) {
        let attribute: SessionDescription.Attribute
        if let colon = value.firstIndex(of: ":") {
            attribute = .init(String(value[..<colon]).trimmed, String(value[value.index(after: colon)...]).trimmed)
        } else {
            attribute = .init(value)
        }
        guard !attribute.name.isEmpty else { return }
        if let last = media.indices.last {
            guard media[last].attributes.count < SDPLimits.attributes else { return }
            media[last].attributes.append(attribute)
        } else {
            guard attributes.count < SDPLimits.attributes else { return }
            attributes.append(attribute)
        }
    }

    /// `username sess-id sess-version IN IP4|IP6 host`. The two numbers may have any length (RFC 8866 §5.2). A missing
    /// part gets a value that can be written.
    private static func origin(_ value: String) -> SessionDescription.Origin {
        let fields = value.split(separator: " ").map(String.init)
        return .init(
            username: fields.first ?? "-", sessionID: fields.count > 1 ? fields[1] : "0",
            version: fields.count > 2 ? UInt64(fields[2]) ?? 0 : 0,
            host: fields.count == 6 ? fields[5] : unknownHost)
    }

    private static let unknownHost = "0.0.0.0"

    /// The host of `IN IP4|IP6 host`. Nil for anything else.
    private static func connection(_ value: String) -> String? {
        let fields = value.split(separator: " ")
        guard fields.count == 3, fields[0].uppercased() == "IN", ["IP4", "IP6"].contains(fields[1].uppercased()) else {
            return nil
        }
        // Only a multicast address has a time to live, but some devices write one behind any address.
        let host = fields[2].prefix { $0 != "/" }
        return String(PacketHost(String(host)) == .unusable ? fields[2] : host)
    }

    /// `kind port[/count] transport format…`. We refuse a line without a usable port or format, and our answer repeats
    /// it.
    private static func media(_ value: String) throws(Problem) -> MediaDescription {
        let fields = value.split(separator: " ")
        guard fields.count >= 3 else { throw .malformedMedia }
        let port = fields[1].split(separator: "/").first.flatMap { UInt16($0) } ?? 0
        return MediaDescription(
            kind: fields[0].lowercased(), port: port, transport: String(fields[2]),
            formats: fields[3...].prefix(SDPLimits.formats).map(String.init))
    }

    func finish() throws(Problem) -> SessionDescription {
        guard origin != nil || !media.isEmpty else { throw .empty }
        var description = SessionDescription(
            origin: origin ?? Self.origin(""), name: name ?? "-", attributes: attributes, media: media)
        description.hosts = hosts
        return description
    }
}

extension String {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        guard first == " " || last == " " else { return self }
        return String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension SessionDescription {
    /// The description as it is sent, in the order of RFC 8866 §5.
    public var bytes: [UInt8] {
        var text = ""
        func line(_ type: Character, _ value: String) {
            // A line break in a value would start a new line. Only a mistake in our code can put one here.
            precondition(!value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a value is one line")
            text += "\(type)=\(value)\r\n"
        }
        func attributes(_ all: [Attribute]) {
            for attribute in all { line("a", attribute.value.map { "\(attribute.name):\($0)" } ?? attribute.name) }
        }
        line("v", "0")
        line("o", "\(origin.username) \(origin.sessionID) \(origin.version) \(Self.network(origin.host))")
        line("s", name.isEmpty ? "-" : name)
        for host in hosts { line("c", Self.network(host)) }
        line("t", "0 0")
        attributes(self.attributes)
        for media in media {
            line("m", "\(media.kind) \(media.port) \(media.transport) \(media.formats.joined(separator: " "))")
            for host in media.hosts { line("c", Self.network(host)) }
            attributes(media.attributes)
        }
        return Array(text.utf8)
    }

    private static func network(_ host: String) -> String { "IN \(host.contains(":") ? "IP6" : "IP4") \(host)" }
}

/// Why bytes are not a session description, and the line (counted from 1) in which the fault was found.
public struct SDPParseError: Error, Equatable, Sendable {
    public enum Problem: Error, Equatable, Sendable {
        /// There is no line, or neither an origin nor media.
        case empty
        /// A limit of `SDPLimits` was exceeded.
        case tooManyBytes, tooManyLines, tooManyMediaLines
        /// The first line is not `v=0`.
        case missingVersion
        case unsupportedVersion
        /// A media line has no kind, port and transport, so that an answer could not repeat it.
        case malformedMedia
    }

    public let line: Int
    public let problem: Problem

    public init(line: Int, _ problem: Problem) {
        self.line = line
        self.problem = problem
    }
}

/// The limits of a description. They bound its memory, and real descriptions stay below them.
///
/// Measured: Chromium 156 writes 5,698 bytes for audio and video, with 123 attributes and 23 formats in the video line.
/// With H.264 and HEVC there are 250 attributes and 61 formats. A conference of eight audio and eight video lines has
/// 44,782 bytes in 1,272 lines, the longest of 127 bytes.
public enum SDPLimits {
    public static let bytes = 65_536
    public static let lines = 4_096
    public static let mediaLines = 64
    /// Longer lines are skipped.
    public static let lineBytes = 4_096
    /// Per session, and per media line. Further attributes are skipped.
    public static let attributes = 512
    /// Further formats are skipped.
    public static let formats = 128
}
