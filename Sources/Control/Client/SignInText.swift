import Base
import JSON

/// The code of a sign-in, for a terminal.
public enum SignInText {
    public static func lines(_ code: JSONValue) -> [String] {
        let (address, text) = (code["address"]?.string ?? "?", code["code"]?.string ?? "?")
        var lines = ["Open \(address.withoutCommands) on any device and enter the code \(text.withoutCommands)"]
        if let complete = code["completeAddress"]?.string { lines.append("or open \(complete.withoutCommands)") }
        if let seconds = code["seconds"]?.integer {
            lines.append("The code expires in \(max(1, seconds / 60)) minutes.")
        }
        return lines
    }
}

/// A list of organisations, for a terminal.
public enum OrganizationText {
    public static func lines(_ answer: JSONValue) -> [String] {
        let list = answer["organizations"]?.array ?? []
        guard !list.isEmpty else { return ["the user belongs to no organization"] }
        return TerminalText.table(
            list.map { organization in
                [
                    organization["isCurrent"] == true ? "*" : " ", TerminalText.of(organization["id"] ?? .null),
                    TerminalText.of(organization["name"] ?? .null),
                    organization["channelNumber"]?.string.map(TerminalText.clean) ?? "",
                ]
            })
    }
}

/// The QR code of a sign-in, for a terminal.
public enum QRText {
    /// The light modules that a code needs on each side (ISO/IEC 18004 §9.1).
    private static let margin = 4
    /// The modules of a side that the standard allows (ISO/IEC 18004 §5.1).
    private static let widths = 21...177
    /// White on black, because a camera may not read an inverted code.
    private static let (white, plain) = ("\u{1B}[1;37;40m", "\u{1B}[0m")

    /// Each line shows two rows of modules. Light modules have the colour of the text, as on a dark terminal.
    /// - Parameters:
    ///   - rows: The member `qr` of a sign-in's code. Without a valid one there are no lines.
    ///   - width: The columns of the terminal. A broken line would destroy the code, so there are no lines if it does
    ///     not fit.
    ///   - coloured: Whether to choose the colours, so that the code is right on a light terminal, too.
    public static func lines(_ rows: JSONValue?, width: Int, coloured: Bool) -> [String] {
        guard let isDark = modules(rows), isDark.count + 2 * margin <= width else { return [] }
        let place = -margin..<isDark.count + margin
        func isLight(_ row: Int, _ column: Int) -> Bool {
            !(isDark.indices.contains(row) && isDark.indices.contains(column) && isDark[row][column])
        }
        return stride(from: place.lowerBound, to: place.upperBound, by: 2).map { row in
            let blocks = place.map { block(isLight(row, $0), isLight(row + 1, $0)) }
            return coloured ? white + String(blocks) + plain : String(blocks)
        }
    }

    /// Whether each module is dark, by row and column. Nil: this is no square of modules.
    private static func modules(_ rows: JSONValue?) -> [[Bool]]? {
        guard let rows = rows?.array, widths.contains(rows.count) else { return nil }
        let modules = rows.map { row in (row.string ?? "").map { $0 == "#" } }
        return modules.allSatisfy { $0.count == rows.count } ? modules : nil
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
