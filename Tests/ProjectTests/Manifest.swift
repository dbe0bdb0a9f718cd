import Foundation

/// The imports that `Package.swift` allows for shipped modules: the only place that lists them.
enum Manifest {
    /// The project's modules that a module may import.
    static func imports() throws -> [String: Set<String>] {
        let text = try String(contentsOf: Project.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        var imports: [String: Set<String>] = [:]
        for module in text.matches(of: /module\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/) {
            imports[String(module.1)] = names(in: module.2 ?? "")
        }
        if let program = text.firstMatch(of: /executableTarget\(\s*name: "offhook",\s*dependencies: \[([^\]]*)\]/) {
            imports["offhook"] = names(in: program.1)
        }
        return imports
    }

    /// The project's modules in a list of dependencies; products of other packages are dropped.
    private static func names(in list: Substring) -> Set<String> {
        let own = list.replacing(/\.product\([^)]*\)/, with: "")
        return Set(own.matches(of: /"(\w+)"/).map { String($0.1) })
    }
}
