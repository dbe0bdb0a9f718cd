/// The columns of a ladder as they are drawn: one vertical line for the phone and one for each far end.
struct LadderGrid: Equatable {
    /// Characters between two vertical lines. A longer name of a far end, such as one with an IPv6 address, is cut.
    static let width = 30

    let columns: [String]

    /// The names above the vertical lines.
    var names: String {
        var line = String(repeating: " ", count: 16) + "phone"
        for (index, name) in columns.enumerated() {
            let name = Self.cut(name, to: Self.width - 2)
            // The name is above its vertical line, or as near to it as the name before allows.
            let start = Self.place(of: index) - name.count / 2
            line += String(repeating: " ", count: max(2, start - line.count)) + name
        }
        return line
    }

    /// The arrow of one message, from the phone's line to the far end's.
    func arrow(to column: Int, label: String, isSent: Bool) -> String {
        let length = (column + 1) * (Self.width + 1) - 1
        let label = " " + Self.cut(label, to: length - 8) + " "
        let rest = length - label.count - 3
        let before = String(repeating: "─", count: rest / 2)
        let after = String(repeating: "─", count: rest - rest / 2)
        let shaft = isSent ? " \(before)\(label)\(after)▶ " : " ◀\(before)\(label)\(after) "
        let others = String(
            repeating: String(repeating: " ", count: Self.width) + "│", count: columns.count - column - 1)
        return "│\(shaft)│\(others)"
    }

    /// The position of a far end's vertical line in the text.
    private static func place(of column: Int) -> Int { 16 + (column + 1) * (width + 1) }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }
}
