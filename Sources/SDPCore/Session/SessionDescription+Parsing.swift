extension SessionDescription {
    /// Parses a description. Total: any bytes give a description or an exact error. Lines may end with LF alone
    /// (RFC 8866 §5).
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

/// Collects lines into a description. The lines that it has determine which lines may follow.
private struct SDPParser {
    typealias Problem = SDPParseError.Problem

    private var hasVersion = false
    private var origin: SessionDescription.Origin?
    private var name: String?
    private var host: String?
    private var attributes: [SessionDescription.Attribute] = []
    private var media: [MediaDescription] = []

    mutating func take(_ raw: ArraySlice<UInt8>) throws(Problem) {
        let bytes = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
        if bytes.isEmpty { return }
        guard bytes.count <= SDPLimits.lineBytes else { throw .lineTooLong }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .controlCharacter }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        guard bytes.count >= 2, bytes[bytes.startIndex + 1] == UInt8(ascii: "="), let type = text.first,
            type.isASCII
        else { throw .notALine }
        try take(type, String(decoding: bytes.dropFirst(2), as: UTF8.self))
    }

    private mutating func take(_ type: Character, _ value: String) throws(Problem) {
        guard hasVersion || type == "v" else { throw .missing("v") }
        switch type {
        case "v":
            guard !hasVersion else { throw .misplaced(type) }
            guard value == "0" else { throw .unsupportedVersion }
            hasVersion = true
        case "o":
            guard origin == nil, media.isEmpty else { throw .misplaced(type) }
            origin = try Self.origin(value)
        case "s":
            guard name == nil, media.isEmpty else { throw .misplaced(type) }
            name = value
        case "c":
            let host = try Self.connection(value)
            try take(host: host)
        case "a":
            try take(attribute: value)
        case "m":
            guard media.count < SDPLimits.mediaLines else { throw .tooManyMediaLines }
            media.append(try Self.media(value))
        case "b", "e", "i", "k", "p", "r", "t", "u", "z":
            break
        default:
            // RFC 8866 §5: a parser ignores the whole description if it finds an unknown type.
            throw .misplaced(type)
        }
    }

    private mutating func take(host value: String) throws(Problem) {
        guard let last = media.indices.last else {
            guard host == nil else { throw .misplaced("c") }
            host = value
            return
        }
        // Several c= lines of one media line are for layered multicast; the first one is used.
        if media[last].host == nil { media[last].host = value }
    }

    private mutating func take(attribute value: String) throws(Problem) {
        let attribute: SessionDescription.Attribute
        if let colon = value.firstIndex(of: ":") {
            attribute = .init(String(value[..<colon]), String(value[value.index(after: colon)...]))
        } else {
            attribute = .init(value)
        }
        guard !attribute.name.isEmpty else { throw .malformedAttribute }
        guard let last = media.indices.last else {
            guard attributes.count < SDPLimits.attributes else { throw .tooManyAttributes }
            attributes.append(attribute)
            return
        }
        guard media[last].attributes.count < SDPLimits.attributes else { throw .tooManyAttributes }
        media[last].attributes.append(attribute)
    }

    /// `username sess-id sess-version IN IP4|IP6 host`
    private static func origin(_ value: String) throws(Problem) -> SessionDescription.Origin {
        let fields = value.split(separator: " ")
        guard fields.count == 6, let version = UInt64(fields[2]), fields[1].allSatisfy(\.isNumber), fields[3] == "IN"
        else { throw .malformedOrigin }
        return .init(
            username: String(fields[0]), sessionID: String(fields[1]), version: version, host: String(fields[5]))
    }

    /// `IN IP4|IP6 host`
    private static func connection(_ value: String) throws(Problem) -> String {
        let fields = value.split(separator: " ")
        guard fields.count == 3, fields[0] == "IN", fields[1] == "IP4" || fields[1] == "IP6" else {
            throw .malformedConnection
        }
        return String(fields[2])
    }

    /// `kind port[/count] transport format…`
    private static func media(_ value: String) throws(Problem) -> MediaDescription {
        let fields = value.split(separator: " ")
        guard fields.count >= 4, let first = fields[1].split(separator: "/").first, let port = UInt16(first) else {
            throw .malformedMedia
        }
        guard fields.count - 3 <= SDPLimits.formats else { throw .tooManyFormats }
        return MediaDescription(
            kind: String(fields[0]), port: port, transport: String(fields[2]), formats: fields[3...].map(String.init))
    }

    func finish() throws(Problem) -> SessionDescription {
        guard let origin else { throw .missing("o") }
        guard let name else { throw .missing("s") }
        return SessionDescription(origin: origin, name: name, host: host, attributes: attributes, media: media)
    }
}
