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
