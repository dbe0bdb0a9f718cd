/// A body of several parts (RFC 2046 §5.1), such as an offer and a picture.
///
/// The body is read to its end at once and copied, so that the result does not depend on which parts are used. Memory:
/// at most the size of the body for each level; the longest body has `SIPLimits.message` bytes. Cost: linear in the
/// bytes for each level.
public struct MultipartBody: Equatable, Sendable {
    public struct Part: Equatable, Sendable {
        public enum Content: Equatable, Sendable {
            case bytes([UInt8])
            case parts(MultipartBody)
        }

        /// Content-Type, Content-Disposition and similar headers.
        public let headers: SIPHeaders
        public let content: Content
    }

    /// The greatest number of parts of one body, nested parts included.
    public static let partLimit = 32
    /// The greatest depth of nested bodies.
    public static let nestingLimit = 4

    /// The text after the slash, in lower case: `mixed`, `alternative`, `related`, …
    public let subtype: String
    /// At least one.
    public let parts: [Part]

    /// Reads a body whose Content-Type is `multipart/…` with a boundary.
    public init(_ body: [UInt8], _ type: MediaType) throws(MultipartError) {
        guard body.count <= SIPLimits.message else { throw .tooLong(limit: SIPLimits.message) }
        var room = Self.partLimit
        try self.init(body[...], type, depth: 1, room: &room)
    }

    private init(_ body: ArraySlice<UInt8>, _ type: MediaType, depth: Int, room: inout Int) throws(MultipartError) {
        guard let subtype = type.multipartSubtype else { throw .notMultipart }
        guard depth <= Self.nestingLimit else { throw .tooDeep(limit: Self.nestingLimit) }
        self.subtype = subtype
        var cutter = try MultipartCutter(body, boundary: type.parameters["boundary"] ?? "")
        var parts: [Part] = []
        while let bytes = try cutter.next() {
            guard room > 0 else { throw .tooManyParts(limit: Self.partLimit) }
            room -= 1
            parts.append(try Self.part(bytes, number: parts.count, depth: depth, room: &room))
        }
        guard !parts.isEmpty else { throw .empty }
        self.parts = parts
    }

    private static func part(
        _ bytes: ArraySlice<UInt8>, number: Int, depth: Int, room: inout Int
    ) throws(MultipartError) -> Part {
        let (headers, body, type): (SIPHeaders, ArraySlice<UInt8>, MediaType?)
        do throws(SIPParseError) {
            (headers, body) = try SIPHeaders.split(bytes)
            type = try headers.contentType
        } catch {
            throw .head(part: number, error)
        }
        guard let type, type.multipartSubtype != nil else {
            return Part(headers: headers, content: .bytes(Array(body)))
        }
        let inner = try MultipartBody(body, type, depth: depth + 1, room: &room)
        return Part(headers: headers, content: .parts(inner))
    }
}

extension MediaType {
    /// The text after `multipart/`; nil for a type that is not multipart.
    var multipartSubtype: String? {
        let family = "multipart/"
        return name.hasPrefix(family) ? String(name.dropFirst(family.count)) : nil
    }
}

/// Why a body is not a multipart body.
public enum MultipartError: Error, Hashable, Sendable {
    /// The type is not `multipart/…`.
    case notMultipart
    /// There is no boundary, or it does not follow RFC 2046 §5.1.1.
    case boundary
    /// The body has no part.
    case empty
    /// The last part has no end.
    case unterminated
    case tooLong(limit: Int)
    /// The number of parts, nested parts included, is above the limit.
    case tooManyParts(limit: Int)
    /// Multipart bodies are nested too deeply.
    case tooDeep(limit: Int)
    /// The head of a part is malformed; the offset counts from the part's first byte.
    case head(part: Int, SIPParseError)
}

/// Cuts a multipart body at its boundary (RFC 2046 §5.1.1).
///
/// A delimiter is a line with two hyphens and the boundary, and with nothing but space after them. The last delimiter
/// has two more hyphens. A line that only begins like a delimiter is content. The text before the first delimiter and
/// after the last one is ignored: it is meant for programs that do not know multipart bodies.
struct MultipartCutter {
    private static let boundaryLimit = 70
    private static let boundaryMarks = Array("'()+_,-./:=? ".utf8)

    private let body: ArraySlice<UInt8>
    private let delimiter: [UInt8]
    /// Where the next part starts; nil after the last one.
    private var start: Int?

    /// Starts after the first delimiter.
    init(_ body: ArraySlice<UInt8>, boundary: String) throws(MultipartError) {
        let boundary = Array(boundary.utf8)
        guard (1...Self.boundaryLimit).contains(boundary.count), boundary.last != 0x20,
            boundary.allSatisfy({ $0.isAlphanumeric || Self.boundaryMarks.contains($0) })
        else { throw .boundary }
        self.body = body
        delimiter = [0x2D, 0x2D] + boundary
        guard let first = line(from: body.startIndex) else { throw .unterminated }
        start = first.isLast ? nil : first.end
    }

    /// The bytes of the next part, without the line break that belongs to the delimiter after it.
    mutating func next() throws(MultipartError) -> ArraySlice<UInt8>? {
        guard let from = start else { return nil }
        guard let line = line(from: from) else { throw .unterminated }
        start = line.isLast ? nil : line.end
        return body[from..<max(from, line.start - 2)]
    }

    /// The first delimiter at or after `place`, which is the start of a line.
    private func line(from place: Int) -> (start: Int, end: Int, isLast: Bool)? {
        var start = place
        while start < body.endIndex {
            if let found = delimiterLine(at: start) { return (start, found.end, found.isLast) }
            guard let lineBreak = lineBreak(from: start) else { return nil }
            start = lineBreak + 2
        }
        return nil
    }

    private func delimiterLine(at start: Int) -> (end: Int, isLast: Bool)? {
        guard body[start...].starts(with: delimiter) else { return nil }
        var index = start + delimiter.count
        let isLast = body[index...].starts(with: [0x2D, 0x2D])
        if isLast { index += 2 }
        while index < body.endIndex, body[index].isSpace { index += 1 }
        if body[index...].starts(with: [.cr, .lf]) { return (index + 2, isLast) }
        return index == body.endIndex && isLast ? (index, true) : nil
    }

    private func lineBreak(from place: Int) -> Int? {
        var index = place
        while index + 1 < body.endIndex {
            if body[index] == .cr, body[index + 1] == .lf { return index }
            index += 1
        }
        return nil
    }
}

extension SIPHeaders {
    /// Reads the head of a body's part: the fields up to the first empty line, and the content after it
    /// (RFC 2046 §5.1). Without an empty line there is no content. A part without fields begins with an empty line.
    /// Folded lines are joined.
    static func split(_ part: ArraySlice<UInt8>) throws(SIPParseError) -> (SIPHeaders, body: ArraySlice<UInt8>) {
        var headers = SIPHeaders()
        var rest = part
        while !rest.isEmpty {
            if rest.starts(with: [.cr, .lf]) { return (headers, rest.dropFirst(2)) }
            guard headers.count < SIPLimits.fields else {
                throw SIPParseError(.tooManyFields(limit: SIPLimits.fields), at: rest.startIndex - part.startIndex)
            }
            let start = rest.startIndex - part.startIndex
            let line = try takeLine(from: &rest, at: start)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw SIPParseError(.fieldName, at: start) }
            let name = line[..<colon].withoutSpace
            guard !name.isEmpty, name.allSatisfy(\.isToken) else { throw SIPParseError(.fieldName, at: start) }
            headers.append(
                SIPHeaderName(String(bytes: name)), String(bytes: line[colon...].dropFirst().withoutSpace))
        }
        return (headers, rest)
    }

    /// One line with its continuation lines, whose line breaks become spaces.
    private static func takeLine(
        from rest: inout ArraySlice<UInt8>, at start: Int
    ) throws(SIPParseError) -> ArraySlice<UInt8> {
        var line: [UInt8] = []
        repeat {
            let end = rest.firstIndex { $0 == .cr || $0 == .lf } ?? rest.endIndex
            line += rest[..<end]
            guard line.count <= SIPLimits.line else {
                throw SIPParseError(.tooLong(limit: SIPLimits.line), at: start + SIPLimits.line)
            }
            rest = rest[end...]
            guard rest.isEmpty || rest.starts(with: [.cr, .lf]) else {
                throw SIPParseError(.lineEnd, at: start + line.count)
            }
            rest = rest.dropFirst(2)
            line.append(0x20)
        } while rest.first?.isSpace == true
        return line[...]
    }
}

extension ArraySlice<UInt8> {
    fileprivate var withoutSpace: ArraySlice<UInt8> {
        var slice = drop { $0.isSpace }
        while slice.last?.isSpace == true { slice.removeLast() }
        return slice
    }
}
