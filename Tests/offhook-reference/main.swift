import ControlReference
import Foundation

/// Writes the parts of the documentation that come from the control interface's own tables into a folder.
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
