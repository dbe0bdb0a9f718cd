import Base
import Bench
import Foundation

/// A finished command's output and exit.
public struct Command {
    public let exit: ChildProcess.Exit?
    public let output: String

    /// Runs the phone's program with these words, and this text as its standard input if given.
    public init(_ words: [String], in workplace: Workplace, input: String? = nil) throws {
        let log = "\(workplace.path)/command-\(UUID().uuidString)"
        var line = [Workplace.phone] + words
        if let input {
            let file = log + ".in"
            try TextFile.write(input, to: file)
            line = ["sh", "-c", "exec \"$0\" \"$@\" < '\(file)'"] + line
        }
        try self.init(program: line, log: log)
    }

    /// Runs another program.
    public init(program line: [String], in workplace: Workplace) throws {
        try self.init(program: line, log: "\(workplace.path)/command-\(UUID().uuidString)")
    }

    private init(program line: [String], log: String) throws {
        let child = try ChildProcess(line, log: log)
        exit = child.wait(upTo: .seconds(20))
        output = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    }

    public var failed: Bool { exit != .status(0) && exit != nil }
}
