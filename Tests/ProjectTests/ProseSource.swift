import Foundation

/// Finds the text for people in documents, comments and literals.
enum ProseSource {
    typealias Text = [UInt8]

    /// The paragraphs, list items, headings and table cells of a Markdown document, without blocks of code.
    static func markdown(_ document: Text) -> [Text] {
        var texts: [Text] = []
        var block: [ArraySlice<UInt8>] = []
        func flush() {
            texts.append(Array(block.joined(separator: [.newline])))
            block = []
        }
        for line in lines(of: withoutFences(document)) {
            let line = trimmed(line)
            if line.first == .pipe {
                texts += cells(of: line)
            } else if let length = markerLength(line) {
                flush()
                block = [line.dropFirst(length)]
            } else if line.isEmpty {
                flush()
            } else {
                block.append(line)
            }
        }
        flush()
        return texts
    }

    /// The comments of Swift, C or JavaScript that have lines to themselves: one text for each block of lines.
    static func slashComments(_ source: Text) -> [Text] {
        blocks(of: source) { line in
            let line = line.drop(while: \.isSpace)
            guard line.starts(with: "//".utf8), !line.starts(with: "// swift-".utf8) else { return nil }
            var text = line.dropFirst(2)
            if text.first == UInt8(ascii: "/") { text = text.dropFirst() }
            if text.first == UInt8(ascii: " ") { text = text.dropFirst() }
            return withoutField(text)
        }
    }

    private enum Literal { case none, documentation, other }

    /// The comments of shell and Python, and the documentation of Python's functions. A list item and a line that begins
    /// with the script's name, its usage, are separate texts.
    static func hashComments(_ source: Text, of name: String = "") -> [Text] {
        var literal = Literal.none
        let starts = { (line: ArraySlice<UInt8>) in line.starts(with: "- ".utf8) || line.starts(with: "\(name) ".utf8) }
        return blocks(of: source, startingAt: starts) { line in
            let line = trimmed(line)
            let quotes = count(of: "\"\"\"", in: line)
            switch literal {
            case .none where line.starts(with: "\"\"\"".utf8):
                if quotes == 1 { literal = .documentation }
                return withoutQuotes(line)
            case .none:
                if quotes % 2 == 1 { literal = .other }
            case .documentation:
                if quotes > 0 { literal = .none }
                return withoutQuotes(line)
            case .other:
                if quotes % 2 == 1 { literal = .none }
                return nil
            }
            let isDirective = ["#!", "# shellcheck"].contains { line.starts(with: $0.utf8) }
            guard line.first == UInt8(ascii: "#"), !isDirective else { return nil }
            return line.drop { $0 == UInt8(ascii: "#") || $0.isSpace }
        }
    }

    /// An example in JSON is no prose, and ends a text.
    private static func withoutQuotes(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        line.first == UInt8(ascii: "{") ? nil : ArraySlice(line.filter { $0 != UInt8(ascii: "\"") })
    }

    private static func count(of text: String, in line: ArraySlice<UInt8>) -> Int {
        guard line.contains(UInt8(ascii: "\"")) else { return 0 }
        return line.ranges(of: Array(text.utf8)).count
    }

    /// The rows' cells of all tables of a Markdown document.
    static func tableCells(_ document: Text) -> [Text] {
        lines(of: withoutFences(document)).map(trimmed).filter { $0.first == .pipe }.flatMap(cells)
    }

    /// The numbers and widths of the lines that are too wide, outside tables, blocks of code and links.
    static func wideLines(_ document: Text, limit: Int) -> [(number: Int, columns: Int)] {
        var isCode = false
        return lines(of: document).enumerated().compactMap { number, line in
            let start = trimmed(line)
            if start.starts(with: "```".utf8) { isCode.toggle() }
            guard !isCode, line.count > limit, start.first != .pipe else { return nil }
            let columns = line.count { $0 & 0xC0 != 0x80 }
            let text = String(decoding: line, as: UTF8.self)
            return columns > limit && !text.contains("](") && !text.contains("://") ? (number + 1, columns) : nil
        }
    }

    static func lines(of text: Text) -> [ArraySlice<UInt8>] {
        text.split(separator: .newline, omittingEmptySubsequences: false)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = line.drop(while: \.isSpace)
        return start.prefix((start.lastIndex { !$0.isSpace } ?? start.startIndex - 1) + 1 - start.startIndex)
    }

    /// Joins neighbouring lines for which `content` is not nil. A line that `isStart` accepts begins another text.
    private static func blocks(
        of source: Text, startingAt isStart: (ArraySlice<UInt8>) -> Bool = { _ in false },
        content: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
    ) -> [Text] {
        var texts: [Text] = []
        var block: [ArraySlice<UInt8>] = []
        func flush() {
            if !block.isEmpty { texts.append(Array(block.joined(separator: [.newline]))) }
            block = []
        }
        for line in lines(of: source) {
            guard let text = content(line) else {
                flush()
                continue
            }
            if isStart(text) { flush() }
            block.append(text)
        }
        flush()
        return texts
    }

    /// Drops what lies between pairs of three backticks.
    private static func withoutFences(_ document: Text) -> Text {
        let fence = Array("```".utf8)
        var result: Text = []
        var rest = document[...]
        while let start = rest.firstRange(of: fence), let end = rest[start.upperBound...].firstRange(of: fence) {
            result += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private static func cells(of row: ArraySlice<UInt8>) -> [Text] {
        guard row.contains(where: { !"|-: ".utf8.contains($0) }) else { return [] }
        let inner = row.drop { $0 == .pipe }
        let end = (inner.lastIndex { $0 != .pipe } ?? inner.startIndex - 1) + 1
        return inner[..<end].split(separator: .pipe, omittingEmptySubsequences: false).map { Array(trimmed($0)) }
    }

    /// The length of the mark with which a list item, heading or quotation begins.
    private static func markerLength(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix(while: \.isDigit).count
        if digits > 0 { return line.dropFirst(digits).starts(with: ". ".utf8) ? digits + 2 : nil }
        let hashes = line.prefix { $0 == UInt8(ascii: "#") }.count
        if hashes > 0 { return line.dropFirst(hashes).first == UInt8(ascii: " ") ? hashes + 1 : nil }
        guard let first = line.first, "-*+>".utf8.contains(first) else { return nil }
        return line.dropFirst().first == UInt8(ascii: " ") ? 2 : nil
    }

    private static let fields = ["Returns", "Throws", "Parameters", "Note", "Precondition"].map { Array($0.utf8) }

    /// Drops `- Parameter name:`, `- Returns:` and the like from a line of documentation.
    private static func withoutField(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.starts(with: "- ".utf8) else { return line }
        let field = line.dropFirst(2)
        var rest: ArraySlice<UInt8>?
        if field.starts(with: "Parameter ".utf8) {
            rest = field.dropFirst(10).drop(while: \.isWordPart)
        } else if let name = fields.first(where: { field.starts(with: $0) }) {
            rest = field.dropFirst(name.count)
        }
        guard let rest else { return line }
        return rest.first == UInt8(ascii: ":") ? rest.dropFirst() : rest
    }
}

extension UInt8 {
    static var pipe: UInt8 { UInt8(ascii: "|") }
}
