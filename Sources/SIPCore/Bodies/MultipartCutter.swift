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
