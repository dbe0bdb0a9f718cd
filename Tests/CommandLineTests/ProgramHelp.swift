import Control
import Foundation
import JSON
import Rig

/// The program's table of commands.
enum ProgramHelp {
    static func table() throws -> JSONValue {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: Workplace.phone)
        process.arguments = ["help", "--json"]
        process.standardOutput = output
        try process.run()
        return try JSONValue(parsing: Array(try output.fileHandleForReading.readToEnd() ?? Data()))
    }

    /// The command for these words.
    static func command(_ words: [String], in table: JSONValue) -> JSONValue? {
        words.reduce(table) { command, word in
            command?["commands"]?.array?.first { $0["name"]?.string == word }
        }
    }

    /// Each command that runs, with its words after the program's name.
    static func all(in table: JSONValue, below words: [String] = []) -> [(words: [String], command: JSONValue)] {
        (table["commands"]?.array ?? []).flatMap { command in
            let path = words + [command["name"]?.string ?? ""]
            let inner = all(in: command, below: path)
            return inner.isEmpty ? [(path, command)] : inner
        }
    }
}
