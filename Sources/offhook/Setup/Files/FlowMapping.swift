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
        let trimmed = entries.map(Self.trimmed).filter { !$0.isEmpty }
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
        let key = trimmed(line[..<colon]).filter { $0 != "\"" && $0 != "'" }
        return (key, trimmed(line[line.index(after: colon)..<end]))
    }

    private static func isEnd(_ line: Substring, after index: String.Index) -> Bool {
        let next = line.index(after: index)
        return next == line.endIndex || line[next].isWhitespace
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
