/// Finds the literals of Swift code that are text for people: help, log lines, errors, findings.
struct ProseLiterals {
    private let source: [UInt8]
    private var index = 0
    private var texts: [[UInt8]] = []
    /// Whether only white space and `+` came after the literal before.
    private var isJoined = false

    private static let statements = ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "PRAGMA"]

    private init(_ source: [UInt8]) { self.source = source }

    /// The literals with four words or more. Those that `+` connects are one; an interpolation counts as one word.
    static func texts(in source: [UInt8]) -> [[UInt8]] {
        var scanner = ProseLiterals(source)
        scanner.scan()
        return scanner.texts.filter { text in
            Prose.wordCount(text) >= 4 && text.contains(UInt8(ascii: " "))
                && !statements.contains { text.starts(with: $0.utf8) } && !text.starts(with: "{\"".utf8)
        }
    }

    private mutating func scan() {
        while index < source.count {
            let byte = source[index]
            if has("//") {
                skip(to: "\n")
            } else if has("/*") {
                skip(to: "*/")
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") {
                literal()
            } else {
                if !byte.isSpace, byte != UInt8(ascii: "+") { isJoined = false }
                index += 1
            }
        }
    }

    private func has(_ text: String) -> Bool { source[index...].starts(with: text.utf8) }

    private mutating func skip(to end: String) {
        let length = end.utf8.count
        while index < source.count, !has(end) { index += 1 }
        index = min(index + length, source.count)
    }

    /// Reads a literal, raw or not. One of several lines counts only as a `discussion:`, because others are files and SQL.
    private mutating func literal() {
        let start = index
        while index < source.count, source[index] == UInt8(ascii: "#") { index += 1 }
        let hashes = index - start
        guard has("\"") else {
            isJoined = false
            return
        }
        let quote = has("\"\"\"") ? "\"\"\"" : "\""
        let isProse = quote.count == 1 || source[..<start].suffix(40).contains("discussion:")
        index += quote.count
        let end = quote + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        var text: [UInt8] = []
        while index < source.count, !has(end) {
            if source[index] == UInt8(ascii: "\\"), has(escape) {
                index += escape.utf8.count
                escaped(into: &text)
            } else {
                text.append(source[index])
                index += 1
            }
        }
        index = min(index + end.utf8.count, source.count)
        guard isProse else { return }
        if isJoined, let last = texts.indices.last { texts[last] += text } else { texts.append(text) }
        isJoined = true
    }

    private mutating func escaped(into text: inout [UInt8]) {
        guard index < source.count else { return }
        switch source[index] {
        case UInt8(ascii: "("):
            text.append(UInt8(ascii: "X"))
            interpolation()
        case UInt8(ascii: "n"):
            text += Array("\n\n".utf8)
            index += 1
        case UInt8(ascii: "u"):
            text.append(UInt8(ascii: " "))
            skip(to: "}")
        case let byte:
            // The end of a line joins it with the next one.
            text.append(byte)
            index += 1
        }
    }

    /// Skips an interpolation with all the literals inside it.
    private mutating func interpolation() {
        var depth = 0
        repeat {
            if has("\"") {
                var inner = ProseLiterals(source)
                inner.index = index
                inner.literal()
                index = inner.index
                continue
            }
            if has("(") { depth += 1 }
            if has(")") { depth -= 1 }
            index += 1
        } while depth > 0 && index < source.count
    }
}

extension Collection<UInt8> where SubSequence: Collection<UInt8> {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
