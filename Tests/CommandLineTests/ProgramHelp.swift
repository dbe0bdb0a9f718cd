import Control
import Foundation
import JSON
import Rig

/// The program's description of the commands.
enum ProgramHelp {
    static func dump() throws -> JSONValue {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: Workplace.phone)
        process.arguments = ["--experimental-dump-help"]
        process.standardOutput = output
        try process.run()
        return try JSONValue(parsing: Array(try output.fileHandleForReading.readToEnd() ?? Data()))
    }

    /// The command for these words.
    static func command(_ words: [String], in help: JSONValue) -> JSONValue? {
        words.reduce(help["command"]) { command, word in
            command?["subcommands"]?.array?.first { $0["commandName"]?.string == word }
        }
    }
}
