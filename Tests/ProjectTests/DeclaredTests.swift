/// The suites and tests that files declare. Documents name hundreds of them, so each file is read once.
struct DeclaredTests {
    private struct File {
        let module: String
        let suites: Set<Substring>
        let functions: Set<Substring>
    }

    private let files: [File]

    init() throws {
        files = try Project.files(under: ["Tests"]).map { file in
            File(
                module: file.module,
                suites: Set(
                    ["struct ", "extension "].flatMap { keyword in
                        file.lines.compactMap { Self.name(after: keyword, in: $0) }
                    }),
                functions: Set(file.lines.compactMap { Self.name(after: "func ", in: $0) }))
        }
    }

    /// Whether the suite is declared, and this test in the same file, if one is named.
    func contains(_ suite: Substring, _ test: Substring?) -> Bool {
        !modules(of: suite, test).isEmpty
    }

    /// The modules that declare the suite, and this test of it, where one is named.
    func modules(of suite: Substring, _ test: Substring?) -> [String] {
        files.filter { $0.suites.contains(suite) && test.map($0.functions.contains) ?? true }.map(\.module)
    }

    private static func name(after keyword: String, in line: String) -> Substring? {
        guard let start = line.firstRange(of: keyword)?.upperBound else { return nil }
        return line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
