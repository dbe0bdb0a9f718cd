import Base
import YAML

/// Edits a configuration file as a person would: it changes the line of one key. Comments and the order of all other
/// lines stay.
///
/// Supports the YAML that people write in this file: mappings by indentation, and mappings in braces on one line. For
/// other forms it throws, and a person has to edit the file.
package struct ConfigurationText: Equatable, Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// The key's value has a form that this editor does not support.
        case unreadable(line: Int, key: String)
    }

    private var lines: [String]
    private let original: (text: String, lines: [String])

    /// Removes the byte order mark of Windows editors, and converts line ends.
    package init(_ text: String) {
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line))
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        original = (text, lines)
    }

    /// The original text if nothing was changed.
    package var text: String { lines == original.lines ? original.text : lines.map { $0 + "\n" }.joined() }

    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    /// Sets a value, and creates missing sections above it.
    /// - Parameters:
    ///   - path: The keys, beginning at the root.
    ///   - value: The value as YAML.
    package mutating func set(_ path: [String], to value: String) throws(Failure) {
        try set(path[...], to: value, in: 0..<lines.count, indent: 0)
    }

    /// Removes a key and everything below it. Does nothing if the key is missing.
    package mutating func remove(_ path: [String]) throws(Failure) {
        try set(path[...], to: nil, in: 0..<lines.count, indent: 0)
    }

    /// Removes all other sections.
    package mutating func keep(_ sections: Set<String>) {
        var isKept = false
        lines = lines.enumerated().filter { index, _ in
            if indentation(index) == 0, let key = keyed(index)?.key { isKept = sections.contains(key) }
            return isKept
        }.map(\.element)
    }

    private mutating func set(
        _ path: ArraySlice<String>, to value: String?, in range: Range<Int>, indent: Int
    ) throws(Failure) {
        guard let key = path.first else { return }
        let margin = String(repeating: " ", count: indent)
        let rest = path.dropFirst()
        guard let place = range.first(where: { indentation($0) == indent && keyed($0)?.key == key }) else {
            if let value { insert(path, value, below: range, margin) }
            return
        }
        let below = children(of: place, in: range, indent)
        guard !rest.isEmpty else {
            let line = value.map { [margin + YAMLText.scalar(key) + ": " + $0] } ?? []
            return lines.replaceSubrange(place..<below.upperBound, with: line)
        }
        let inside = try opened(place, below, key, margin)
        let depth = inside.first { isContent($0) }.map(indentation) ?? indent + 2
        try set(rest, to: value, in: inside, indent: depth)
    }

    /// Adds the sections and the key after the last line of a range.
    private mutating func insert(_ path: ArraySlice<String>, _ value: String, below range: Range<Int>, _ margin: String)
    {
        let end = range.last { !lines[$0].allSatisfy(\.isWhitespace) }.map { $0 + 1 } ?? range.lowerBound
        var new: [String] = []
        for (depth, key) in path.enumerated() {
            let start = margin + String(repeating: "  ", count: depth) + YAMLText.scalar(key) + ":"
            new.append(depth == path.count - 1 ? start + " " + value : start)
        }
        lines.insert(contentsOf: new, at: end)
    }

    /// The lines below a section's key. Converts a section in braces to indentation first.
    private mutating func opened(
        _ place: Int, _ below: Range<Int>, _ key: String, _ margin: String
    ) throws(Failure) -> Range<Int> {
        let value = keyed(place)?.value ?? ""
        guard !value.isEmpty else { return below }
        guard let entries = FlowMapping.entries(of: value) else { throw .unreadable(line: place + 1, key: key) }
        let new = entries.map { margin + "  " + $0 }
        lines.replaceSubrange(place..<below.lowerBound, with: [margin + YAMLText.scalar(key) + ":"] + new)
        return place + 1..<place + 1 + new.count + below.count
    }

    // MARK: Lines

    /// The lines that belong to the key at `place`, without trailing empty lines and comments.
    private func children(of place: Int, in range: Range<Int>, _ indent: Int) -> Range<Int> {
        var end = place + 1
        for index in place + 1..<max(place + 1, range.upperBound) where isContent(index) {
            guard indentation(index) > indent else { break }
            end = index + 1
        }
        return place + 1..<end
    }

    private func isContent(_ index: Int) -> Bool {
        guard let first = lines[index].first(where: { !$0.isWhitespace }) else { return false }
        return first != "#"
    }

    private func indentation(_ index: Int) -> Int { lines[index].prefix { $0 == " " }.count }

    /// The key of a line, and the value after its colon. Without the comment; nil for a line without a key.
    private func keyed(_ index: Int) -> (key: String, value: String)? {
        guard isContent(index) else { return nil }
        return FlowMapping.split(lines[index].drop { $0 == " " })
    }
}

/// Parses mappings in braces on one line: `{capture: "null", playback: "null"}`.
enum FlowMapping {
    /// The entries of a mapping that ends with the text, each as `key: value`. Nil if the text is no such mapping.
    static func entries(of text: String) -> [String]? {
        guard text.first == "{", text.last == "}", text.count >= 2 else { return nil }
        var entries = [""]
        var (depth, quote) = (0, Character?.none)
        for character in text.dropFirst().dropLast() {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "{[".contains(character) {
                depth += 1
            } else if "}]".contains(character) {
                depth -= 1
            } else if character == ",", depth == 0 {
                entries.append("")
                continue
            }
            guard depth >= 0 else { return nil }
            entries[entries.count - 1].append(character)
        }
        guard depth == 0, quote == nil else { return nil }
        let trimmed = entries.map { String($0.trimmed) }.filter { !$0.isEmpty }
        return trimmed.allSatisfy { split($0[...]) != nil } ? trimmed : nil
    }

    /// Splits `key: value # comment` into key and value.
    static func split(_ line: Substring) -> (key: String, value: String)? {
        var quote: Character?
        var (colon, end) = (String.Index?.none, line.endIndex)
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#", previous.isWhitespace {
                end = index
                break
            } else if character == ":", colon == nil, isEnd(line, after: index) {
                colon = index
            }
            previous = character
        }
        guard let colon, colon < end else { return nil }
        let key = line[..<colon].trimmed.filter { $0 != "\"" && $0 != "'" }
        return (key, String(line[line.index(after: colon)..<end].trimmed))
    }

    private static func isEnd(_ line: Substring, after index: String.Index) -> Bool {
        let next = line.index(after: index)
        return next == line.endIndex || line[next].isWhitespace
    }
}

/// Writes values as YAML, like a person: with quotes only if necessary.
enum YAMLText {
    /// Control characters other than tabs are dropped.
    static func scalar(_ text: String) -> String {
        YAMLNode.written(
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.filter { $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F })))
    }
}
