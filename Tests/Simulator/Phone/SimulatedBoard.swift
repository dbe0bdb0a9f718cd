import Panel
import PhoneCore
import YAML

/// The panel of every simulated phone: a matrix, or one line per key, which is faster.
enum SimulatedBoard {
    static let functionKeys = [
        "hold", "mute", "speaker", "headset", "redial", "flash", "transfer", "conference", "do-not-disturb",
        "voicemail", "line-1", "speed-1",
    ]
    static let digitRows = [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], ["*", "0", "#"]]

    static func plan(matrix: Bool) -> PanelPlan { matrix ? matrixPlan : linesPlan }

    private static let matrixPlan = read(matrix: true)
    private static let linesPlan = read(matrix: false)

    private static func read(matrix: Bool) -> PanelPlan {
        let text =
            "name: simulated\npanel:\n  backend: simulated\n  chip: s\n  hook: {line: 0}\n" + keys(matrix: matrix)
        do throws(YAMLError) {
            let board: Board = try YAMLDocument(Array(text.utf8), file: "simulated.yaml").read()
            return PanelPlan(board.panel)
        } catch {
            preconditionFailure("the simulated board does not read: \(error)")
        }
    }

    private static func keys(matrix: Bool) -> String {
        let digits = matrix ? [] : digitRows.flatMap(\.self)
        let buttons = (digits + functionKeys).enumerated().map { "    \"\($1)\": {line: \(20 + $0)}\n" }.joined()
        guard matrix else { return "  buttons:\n" + buttons }
        let rows = digitRows.map { row in "[" + row.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
        return "  keypad:\n    rows: [1, 2, 3, 4]\n    columns: [5, 6, 7]\n    settle: 0 us\n    keys: ["
            + rows.joined(separator: ", ") + "]\n  buttons:\n" + buttons
    }
}
