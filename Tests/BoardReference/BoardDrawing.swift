import Panel

/// The wiring of a board as an SVG picture: the board's pins at the left, the telephone's parts at the right. It
/// follows the page's light or dark.
struct BoardDrawing {
    private static let rowHeight = 26
    private static let gap = 10
    private static let top = 56
    private static let (board, wireEnd, width) = (170, 330, 760)

    private let board: Board
    private let parts: [BoardPart]

    init(_ board: Board) {
        self.board = board
        parts = BoardPart.all(of: board.panel)
    }

    var svg: String {
        var (body, y) = ("", Self.top)
        for part in parts {
            body += draw(part, at: y)
            y += part.wires.count * Self.rowHeight + Self.gap
        }
        let height = y + 16
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" role="img">
            <title>\(Self.escaped(board.name))</title>
            <style>
            :root { color-scheme: light dark; --ink: #1d2733; --paper: #ffffff; --board: #e4efe6; --faint: #5b6673; }
            @media (prefers-color-scheme: dark) {
            :root { --ink: #e8edf2; --paper: #14191f; --board: #1f3325; --faint: #9aa7b4; } }
            text { font: 13px system-ui, sans-serif; fill: var(--ink); }
            .faint { fill: var(--faint); }
            .name { font-weight: 600; }
            path, rect, circle { fill: none; stroke: var(--ink); stroke-width: 1.5; }
            .paper { fill: var(--paper); stroke: none; }
            .board { fill: var(--board); }
            .dot { fill: var(--ink); }
            </style>
            <rect class="paper" width="\(Self.width)" height="\(height)"/>
            <text class="name" x="16" y="26" font-size="16">\(Self.escaped(board.name))</text>
            <rect class="board" x="16" y="40" width="\(Self.board)" height="\(height - 50)" rx="8"/>
            \(body)</svg>

            """
    }

    private func draw(_ part: BoardPart, at y: Int) -> String {
        var text = ""
        for (index, wire) in part.wires.enumerated() {
            let middle = y + index * Self.rowHeight + Self.rowHeight / 2
            let edge = 16 + Self.board
            text += Self.text(wire.pin, x: 26, y: middle + 4, kind: "faint")
            text += Self.text(wire.line, x: edge - 12, y: middle + 4, kind: "", anchor: "end")
            text += "<circle class=\"dot\" cx=\"\(edge)\" cy=\"\(middle)\" r=\"3\"/>\n"
            text += "<path d=\"M\(edge) \(middle)H\(Self.wireEnd)\"/>\n"
            if !wire.role.isEmpty { text += Self.text(wire.role, x: edge + 14, y: middle - 5, kind: "faint") }
        }
        let middle = y + part.wires.count * Self.rowHeight / 2
        text += Self.symbol(part, at: middle)
        text += Self.text(part.name, x: Self.wireEnd + 74, y: middle - 1, kind: "name")
        text += Self.text(part.note, x: Self.wireEnd + 74, y: middle + 14, kind: "faint")
        return text
    }

    /// A symbol in a field of 60 by 24 behind the end of the wires.
    private static func symbol(_ part: BoardPart, at y: Int) -> String {
        let x = wireEnd
        switch part.symbol {
        case .contact:
            return """
                <path d="M\(x) \(y)H\(x + 14)M\(x + 14) \(y)L\(x + 38) \(y - 10)M\(x + 38) \(y)H\(x + 54)"/>
                <path d="M\(x + 54) \(y - 7)V\(y + 7)M\(x + 58) \(y - 4)V\(y + 4)M\(x + 62) \(y - 1)V\(y + 1)"/>

                """
        case .lamp:
            return """
                <path d="M\(x) \(y)H\(x + 20)M\(x + 20) \(y - 9)V\(y + 9)L\(x + 38) \(y)ZM\(x + 38) \(y - 9)V\(y + 9)"/>
                <path d="M\(x + 38) \(y)H\(x + 56)M\(x + 28) \(y - 11)l6 -6M\(x + 36) \(y - 11)l6 -6"/>

                """
        case .output:
            return """
                <path d="M\(x) \(y)H\(x + 8)"/><rect x="\(x + 8)" y="\(y - 10)" width="36" height="20" rx="3"/>
                <path d="M\(x + 8) \(y + 10)L\(x + 44) \(y - 10)"/>

                """
        case .bridge, .encoder, .keypad, .display:
            let height = max(24, (part.wires.count - 1) * rowHeight + 20)
            return """
                <rect x="\(x)" y="\(y - height / 2)" width="56" height="\(height)" rx="4"/>
                \(text(label(part.symbol), x: x + 28, y: y + 4, kind: "", anchor: "middle"))
                """
        }
    }

    private static func label(_ symbol: BoardPart.Symbol) -> String {
        switch symbol {
        case .bridge: "bridge"
        case .encoder: "a | b"
        case .keypad: "matrix"
        case .display: "I²C"
        case .contact, .lamp, .output: ""
        }
    }

    private static func text(_ text: String, x: Int, y: Int, kind: String, anchor: String = "start") -> String {
        text.isEmpty
            ? "" : "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(escaped(text))</text>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.append(character)
            }
        }
    }
}
