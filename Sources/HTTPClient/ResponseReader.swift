import Base

/// Collects one answer from the pieces that libcurl delivers, within limits.
package struct ResponseReader: Equatable, Sendable {
    /// In bytes, with all interim answers and trailers.
    package static let longestHead = 32 * 1_024
    package static let mostLines = 200
    private static let longestWait = Duration.seconds(86_400)

    /// Why the rest is not read.
    package private(set) var failure: HTTPFailure?
    package private(set) var location: String?

    private let limit: Int
    private var headBytes = 0
    private var lines = 0
    private var body: [UInt8] = []
    private var etag: String?
    private var retryAfter: String?
    private var contentType: String?
    private var date: String?

    /// - Parameter limit: The largest body in bytes, after decompression.
    package init(limit: Int) { self.limit = limit }

    /// Takes one line of the head, or of the trailers, with its line break.
    /// - Returns: Whether to go on.
    package mutating func takeLine(_ line: some Collection<UInt8>) -> Bool {
        headBytes += line.count
        lines += 1
        guard headBytes <= Self.longestHead, lines <= Self.mostLines else { return fail(.tooLarge) }
        // The final answer follows an interim one (RFC 9110 §15.2), or replaces one that asks for a proxy's password.
        if line.starts(with: "HTTP/".utf8) {
            (location, etag, retryAfter, contentType, date) = (nil, nil, nil, nil, nil)
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let path: WritableKeyPath<ResponseReader, String?>
        switch name {
        case "location": path = \.location
        case "etag": path = \.etag
        case "retry-after": path = \.retryAfter
        case "content-type": path = \.contentType
        case "date": path = \.date
        default: return true
        }
        let value = Self.text(line[line.index(after: colon)...])
        // The first one counts; trailers and repetitions do not change it.
        if self[keyPath: path] == nil, body.isEmpty, value?.isEmpty == false { self[keyPath: path] = value }
        return true
    }

    /// Takes a piece of the body.
    /// - Returns: Whether to go on.
    package mutating func takeBody(_ piece: some Collection<UInt8>) -> Bool {
        guard failure == nil, body.count + piece.count <= limit else { return fail(.tooLarge) }
        body.append(contentsOf: piece)
        return true
    }

    /// Checks how many bytes have come, before decompression.
    /// - Returns: Whether to go on.
    package mutating func checkReceived(_ count: Int) -> Bool { count <= limit || fail(.tooLarge) }

    private mutating func fail(_ why: HTTPFailure) -> Bool {
        failure = failure ?? why
        return false
    }

    /// Visible text without surrounding spaces; nil for other bytes, because no header that is read here has them.
    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
        let inner = Array(bytes.drop(while: isSpace)).reversed().drop(while: isSpace).reversed()
        guard inner.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: inner, as: UTF8.self)
    }

    package func response(status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status, body: body, etag: etag, retryAfter: wait, contentType: contentType, date: date)
    }

    /// `Retry-After`, in seconds or as a time. A time is compared with the server's own, so our clock does not count.
    private var wait: Duration? {
        guard let retryAfter else { return nil }
        if retryAfter.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return min(Int64(retryAfter).map { .seconds($0) } ?? Self.longestWait, Self.longestWait)
        }
        guard let until = HTTPDate.seconds(retryAfter), let now = date.flatMap(HTTPDate.seconds) else { return nil }
        return min(.seconds(max(0, until - now)), Self.longestWait)
    }
}
