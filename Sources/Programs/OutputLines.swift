/// The lines of a program's output, limited in number and length for the log. The rest is dropped.
package struct OutputLines: Equatable, Sendable {
    package static let mostLines = 8
    package static let longestLine = 256

    private var line: [UInt8] = []
    private var count = 0
    private var isOverlong = false

    package init() {}

    /// - Returns: The lines that ended in these bytes.
    package mutating func push(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes where count < Self.mostLines {
            if byte == UInt8(ascii: "\n") {
                if let line = take() { lines.append(line) }
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return lines
    }

    /// The last line, which has no line break.
    package mutating func finish() -> String? { count < Self.mostLines ? take() : nil }

    private mutating func take() -> String? {
        defer { (line, isOverlong) = ([], false) }
        guard !line.isEmpty else { return nil }
        count += 1
        let isLast = count == Self.mostLines
        return String(decoding: line, as: UTF8.self) + (isOverlong || isLast ? " …" : "")
    }
}
