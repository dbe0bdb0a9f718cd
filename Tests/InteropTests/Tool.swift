import Bench
import Foundation

/// A program that sends the phone a request, ends, and prints its result.
final class Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Its exit and output.
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

    /// Starts it in a folder that may serve as its home.
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
