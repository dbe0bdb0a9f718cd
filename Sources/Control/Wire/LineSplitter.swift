/// Splits a stream of bytes into lines that end with a newline. Never holds more than one longest line.
struct LineSplitter: Sendable {
    struct Output: Equatable, Sendable {
        /// Complete lines without their ends. Empty lines are skipped.
        var lines: [[UInt8]] = []
        /// A line is longer than the limit. Nothing after it can be understood, so the stream must be closed.
        var isOverlong = false
    }

    let limit: Int
    private var partial: [UInt8] = []

    /// - Parameter limit: The longest line in bytes, without its end.
    init(limit: Int) {
        precondition(limit > 0, "a line holds at least one byte")
        self.limit = limit
    }

    mutating func push(_ bytes: some Sequence<UInt8>) -> Output {
        var output = Output()
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !partial.isEmpty { output.lines.append(partial) }
                partial.removeAll(keepingCapacity: true)
            } else if partial.count < limit {
                partial.append(byte)
            } else {
                output.isOverlong = true
                return output
            }
        }
        return output
    }
}
