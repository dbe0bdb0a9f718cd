import Panel

/// Makes `docs/boards.md` and its drawings from the board files.
public enum BoardReference {
    /// A board file's drawing.
    public static func drawing(of board: Board) -> String { BoardDrawing(board).svg }

    /// The page with all boards.
    /// - Parameter boards: By the names of their files, without the ending.
    public static func page(_ boards: [(file: String, board: Board)]) -> String {
        boards.reduce(into: head) { page, entry in
            page += "\n## \(entry.board.name)\n\n`board/\(entry.file).yaml`\n\n"
            page += "![How \(entry.board.name) is wired](images/boards/\(entry.file).svg)\n\n"
            page += "| part | line | pin | how |\n|---|---|---|---|\n"
            for part in BoardPart.all(of: entry.board.panel) { page += rows(of: part) }
        }
    }

    private static let head = """
        # Boards

        `offhook-reference` writes this page from the files in `board/`. A contact with a pull-up of the
        chip needs no parts, a lamp needs a resistor (3 mA). A bell and a relay need drivers and supplies of
        their own. [Hardware](user/hardware.md) shows the wiring and how to add a board. Pins and chips are
        from the boards' documentation: nobody in this project tried a file on its board. `offhook board
        check` says what does not fit.

        """

    private static func rows(of part: BoardPart) -> String {
        part.wires.enumerated().reduce(into: "") { rows, entry in
            let (index, wire) = entry
            let name = wire.role.isEmpty ? part.name : "\(part.name), \(wire.role)"
            let note = index == 0 ? part.note.split(separator: "|").joined(separator: "\\|") : ""
            rows += "| \(name) | \(wire.line) | \(wire.pin) | \(note) |\n"
        }
    }
}
