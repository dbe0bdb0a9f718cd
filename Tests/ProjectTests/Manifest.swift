import Foundation

/// What `Package.swift` says of the modules that ship: the one place where their imports are listed.
enum Manifest {
    /// Which modules of ours a module may import.
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

    /// The names of our modules in a list of dependencies: products of other packages are none.
    private static func names(in list: Substring) -> Set<String> {
        let own = list.replacing(/\.product\([^)]*\)/, with: "")
        return Set(own.matches(of: /"(\w+)"/).map { String($0.1) })
    }
}
