/// A function, initialiser or accessor and how many lines it takes, found by counting braces.
struct FunctionLength: Sendable {
    let name: String
    let line: Int
    let lines: Int

    /// Every function of a file. Nested functions count for themselves and for what holds them.
    static func all(in file: SourceFile) -> [FunctionLength] {
        let code = file.code
        return code.indices.compactMap { start in
            guard let name = name(declaredBy: code[start]), let end = end(ofBlockFrom: start, in: code) else {
                return nil
            }
            return FunctionLength(name: name, line: start + 1, lines: end - start + 1)
        }
    }

    private static func name(declaredBy line: String) -> String? {
        let words = line.split(whereSeparator: { " (<{".contains($0) }).map(String.init)
        guard let keyword = words.firstIndex(where: { ["func", "init", "init?", "deinit", "subscript"].contains($0) })
        else { return nil }
        let modifiers = words[..<keyword]
        guard !modifiers.contains(where: { $0.contains(".") || $0 == "return" || $0 == "=" || $0 == "case" }) else {
            return nil
        }
        return keyword + 1 < words.count && words[keyword] == "func" ? words[keyword + 1] : words[keyword]
    }

    /// The line on which the first block opened at or after `start` closes; nil when none opens (a requirement).
    private static func end(ofBlockFrom start: Int, in code: [String]) -> Int? {
        var depth = 0
        var opened = false
        for index in start..<min(code.count, start + 2_000) {
            for character in code[index] {
                if character == "{" {
                    depth += 1
                    opened = true
                } else if character == "}" {
                    depth -= 1
                    if depth < 0 { return nil }
                }
            }
            if opened, depth == 0 { return index }
        }
        return nil
    }
}
