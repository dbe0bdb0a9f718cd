import BoardReference
import ConfigurationReference
import Control
import ControlReference
import Foundation
import JSON
import Panel

/// Writes the generated parts of the documentation into a folder. They are the control interface, the boards and the
/// configuration, and the commands and manual pages of the `offhook` beside this program.
let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "docs")
let page = folder.appendingPathComponent("control.md")
guard let written = ControlReference.page(try String(contentsOf: page, encoding: .utf8)) else {
    print("offhook-reference: \(page.path) lacks the place of a table")
    exit(1)
}
try written.write(to: page, atomically: true, encoding: .utf8)
try ControlReference.openRPC.write(
    to: folder.appendingPathComponent("openrpc.json"), atomically: true, encoding: .utf8)
let metrics = folder.appendingPathComponent("metrics.md")
guard let rewritten = MetricTable.page(try String(contentsOf: metrics, encoding: .utf8)) else {
    print("offhook-reference: \(metrics.path) lacks the place of the table")
    exit(1)
}
try rewritten.write(to: metrics, atomically: true, encoding: .utf8)

let boardFolder = folder.deletingLastPathComponent().appendingPathComponent("board").path
let files = try FileManager.default.contentsOfDirectory(atPath: boardFolder).filter { $0.hasSuffix(".yaml") }.sorted()
let boards = try files.map { file in
    (file: String(file.dropLast(".yaml".count)), board: try Board.load(path: "\(boardFolder)/\(file)"))
}
try BoardReference.page(boards).write(
    to: folder.appendingPathComponent("boards.md"), atomically: true, encoding: .utf8)
let drawings = folder.appendingPathComponent("images/boards")
try FileManager.default.createDirectory(at: drawings, withIntermediateDirectories: true)
for entry in boards {
    try BoardReference.drawing(of: entry.board).write(
        to: drawings.appendingPathComponent("\(entry.file).svg"), atomically: true, encoding: .utf8)
}

let configuration = folder.appendingPathComponent("user/configuration")
try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
for file in ConfigurationReference.files {
    try file.text.write(to: configuration.appendingPathComponent(file.name), atomically: true, encoding: .utf8)
}

let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent("offhook")
/// What the program prints for these words.
func output(of words: String...) throws -> [UInt8] {
    let (process, output) = (Process(), Pipe())
    (process.executableURL, process.arguments, process.standardOutput) = (program, words, output)
    try process.run()
    return Array(try output.fileHandleForReading.readToEnd() ?? Data())
}
let help = try JSONValue(parsing: try output(of: "help", "--json"))
let manual = folder.appendingPathComponent("man")
try FileManager.default.createDirectory(at: manual, withIntermediateDirectories: true)
for page in ManualPage.all(of: help) {
    try page.text.write(to: manual.appendingPathComponent(page.file), atomically: true, encoding: .utf8)
}
let schema = try JSONValue(parsing: try output(of: "config", "schema"))
try (ConfigurationReference.described(schema).indented + "\n").write(
    to: folder.appendingPathComponent("config.schema.json"), atomically: true, encoding: .utf8)
try CommandPage.text(of: help).write(
    to: folder.appendingPathComponent("user/commands.md"), atomically: true, encoding: .utf8)
