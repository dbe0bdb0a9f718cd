import Bench
import Foundation

/// A program that asks something of the phone, ends by itself, and says what it found.
final class Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// How it ended, and what it said.
    struct Findings {
        let exit: ChildProcess.Exit
        let output: String
    }

    private let words: [String]
    private let child: ChildProcess
    private let log: String

    static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    /// Starts it in a folder that it may take for its user's home.
    init(_ words: [String], in folder: String) throws {
        try TextFile.makeFolder(folder)
        self.words = words
        log = "\(folder)/\(UUID().uuidString)"
        child = try ChildProcess(words, environment: ["HOME": folder], log: log)
    }

    /// Waits for its end.
    func findings(upTo limit: Duration = .seconds(20)) throws -> Findings {
        guard let exit = child.wait(upTo: limit) else {
            _ = child.stop()
            throw Failure(description: "\(words.joined(separator: " ")) runs on after \(limit)")
        }
        return Findings(
            exit: exit, output: String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self))
    }
}
