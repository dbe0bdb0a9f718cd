/// The columns of a ladder as they are drawn: one post for the phone and one for each far end.
struct LadderGrid: Equatable {
    /// Characters between two posts; a far end by IPv6 is cut.
    static let width = 30

    let columns: [String]

    /// The names over the posts.
    var names: String {
        var line = String(repeating: " ", count: 16) + "phone"
        for (index, name) in columns.enumerated() {
            let name = Self.cut(name, to: Self.width - 2)
            // Over its post, or as near as the name before it allows.
            let start = Self.place(of: index) - name.count / 2
            line += String(repeating: " ", count: max(2, start - line.count)) + name
        }
        return line
    }

    /// One message, from post to post.
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

    /// Where a far end's post stands in the line.
    private static func place(of column: Int) -> Int { 16 + (column + 1) * (width + 1) }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }
}
