import Foundation
import Testing

/// `Scripts/release --check` accepts this tree, and rejects one whose places disagree. It builds nothing.
@Suite struct ReleaseTests {
    private struct Run {
        let status: Int32
        let output: String
    }

    private static func check(in folder: URL) throws -> Run {
        let process = Process()
        process.executableURL = folder.appendingPathComponent("Scripts/release")
        process.arguments = ["--check"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    /// Runs the check on a copy of the files that it reads, after `change`.
    private static func checkCopy(after change: (URL) throws -> Void) throws -> Run {
        let files = FileManager.default
        let copy = files.temporaryDirectory.appendingPathComponent("offhook-release-\(UUID().uuidString)")
        defer { try? files.removeItem(at: copy) }
        for name in [
            "CHANGELOG.md", "Package.swift", "Package.resolved", "Scripts/release", "Scripts/release.d",
            "Scripts/setup", "Sources/Base/ProgramVersion.swift", "docs/openrpc.json", "docs/man",
        ] {
            let target = copy.appendingPathComponent(name)
            try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(at: Project.root.appendingPathComponent(name), to: target)
        }
        try change(copy)
        return try check(in: copy)
    }

    private static func replace(_ old: String, with new: String, in name: String, below folder: URL) throws {
        let file = folder.appendingPathComponent(name)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains(old), "\(name) has no \(old)")
        try text.replacingOccurrences(of: old, with: new).write(to: file, atomically: true, encoding: .utf8)
    }

    @Test func acceptsThisTree() throws {
        let run = try Self.check(in: Project.root)
        #expect(run.status == 0 && run.output.hasSuffix(" is consistent\n"), "\(run.output)")
    }

    @Test func rejectsReferencesOfAnotherVersion() throws {
        let run = try Self.checkCopy { copy in
            try Self.replace("text = \"", with: "text = \"9", in: "Sources/Base/ProgramVersion.swift", below: copy)
        }
        #expect(run.status == 1 && run.output.contains("docs/openrpc.json: has another version"), "\(run.output)")
    }

    @Test func rejectsPackageThatIsNotPinned() throws {
        let run = try Self.checkCopy { copy in
            let asked = "swift-log.git\", exact: \""
            try Self.replace(asked, with: asked + "9", in: "Package.swift", below: copy)
        }
        #expect(run.status == 1 && run.output.contains("swift-log.git is pinned at"), "\(run.output)")
    }
}
