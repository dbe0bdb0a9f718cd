import Panel
import YAML

/// Boards for tests.
enum Boards {
    /// The folder of the board files that ship.
    static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/board"

    static func board(_ panel: String) throws(YAMLError) -> Board {
        try YAMLDocument(Array("name: t\npanel:\n\(panel)".utf8), file: "t.yaml").read()
    }

    /// A hook, a button, nine keys, two lamps and a bell.
    static func small() throws(YAMLError) -> Board {
        try board(
            """
              backend: simulated
              chip: c
              hook: {line: 0}
              buttons: {hold: {line: 1}}
              keypad:
                rows: [2, 3, 4]
                columns: [5, 6, 7]
                settle: 0 us
                keys: [[1, 2, 3], [4, 5, 6], [7, 8, "-"]]
              lamps: {ringing: {line: 8}, message: {line: 9}}
              ringer: {line: 10}
            """)
    }

    /// A hook, a dial, an input, a lamp and two relays.
    /// - Parameter more: Further keys of the dial.
    static func rotary(offNormal: Bool, more: String = "") throws(YAMLError) -> Board {
        try board(
            """
              backend: simulated
              chip: c
              hook: {line: 0}
              dial: {pulse: {line: 1}\(offNormal ? ", off_normal: {line: 2}" : "")\(more)}
              inputs: {tamper: {line: 3}}
              lamps: {message: {line: 4}}
              relays: [{line: 5}, {line: 6}]
            """)
    }
}
