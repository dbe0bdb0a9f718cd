/// Cuts a stream of bytes into lines that end with a newline. It never holds more than one longest line and one chunk.
struct LineCutter {
    private let limit: Int
    private var chunk: [UInt8] = []
    private var start = 0
    private var partial: [UInt8] = []

    /// - Parameter limit: The longest line in bytes, without its end.
    init(limit: Int) { self.limit = limit }

    enum Cut: Equatable {
        case line([UInt8])
        case tooLong
        /// No complete line until the next `push`.
        case needsMore
    }

    /// Bytes after the last newline.
    var remainder: Int { partial.count + chunk.count - start }

    /// - Precondition: `next` has returned `needsMore`.
    mutating func push(_ bytes: [UInt8]) {
        precondition(start == chunk.count, "call next until it needs more")
        (chunk, start) = (bytes, 0)
    }

    mutating func next() -> Cut {
        let rest = chunk[start...]
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let piece = rest[..<(end ?? rest.endIndex)]
        guard partial.count + piece.count <= limit else { return .tooLong }
        partial += piece
        start = end.map { $0 + 1 } ?? chunk.count
        guard end != nil else { return .needsMore }
        defer { partial.removeAll(keepingCapacity: true) }
        return .line(partial)
    }
}
