import Foundation

/// One Swift file of the project, read for its rules.
struct SourceFile: Sendable, CustomStringConvertible {
    /// Path from the project's root, as `Sources/Base/Instant.swift`.
    let path: String
    let lines: [String]

    var description: String { path }
    /// The target it belongs to: the second part of its path.
    var module: String { String(path.split(separator: "/")[1]) }
    var isSource: Bool { path.hasPrefix("Sources/") }

    /// The lines without comments and without the content of literals.
    var code: [String] { lines.map(Self.code(of:)) }

    /// Modules that the file imports.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count else { return nil }
            guard words[..<keyword].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal"].contains($0) })
            else { return nil }
            let isKind = ["struct", "class", "enum", "func", "var", "protocol"].contains(words[keyword + 1])
            let name = isKind && keyword + 2 < words.count ? words[keyword + 2] : words[keyword + 1]
            return String(name.split(separator: ".")[0])
        }
    }

    private static func code(of line: String) -> String {
        var result = ""
        var inString = false
        var previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" { inString.toggle() }
            if !inString { result.append(character) }
            if !inString, result.hasSuffix("//") { return String(result.dropLast(2)) }
            previous = character
        }
        return result
    }
}

/// The Swift files of the working tree.
enum Project {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func files(under folders: [String] = ["Sources", "Tests"]) throws -> [SourceFile] {
        try folders.flatMap { folder in
            let start = root.appendingPathComponent(folder)
            let names = FileManager.default.enumerator(atPath: start.path)?.allObjects as? [String] ?? []
            return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
                let text = try String(contentsOf: start.appendingPathComponent(name), encoding: .utf8)
                return SourceFile(path: folder + "/" + name, lines: text.components(separatedBy: "\n"))
            }
        }
    }
}
