extension String {
    /// The greatest number of combining marks on one character. No script in use needs more.
    public static let mostMarks = 4

    /// Text from an unknown source, made safe to store and show. Removes characters that a terminal or a screen
    /// would act on: control characters, marks that change the direction of writing, line separators. Also removes
    /// characters without a common meaning (private use, unassigned).
    ///
    /// One character of a text may be of any length, because it may have any number of marks. So the text is measured
    /// in bytes, and marks beyond `mostMarks` in succession are left out.
    /// - Parameter limit: The greatest number of bytes of UTF-8 in the result.
    public func shown(bytes limit: Int) -> String {
        var shown = UnicodeScalarView()
        var (bytes, marks) = (0, 0)
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: continue
            case .nonspacingMark, .spacingMark, .enclosingMark:
                marks += 1
                if marks > Self.mostMarks { continue }
            default: marks = 0
            }
            bytes += UTF8.width(scalar)
            guard bytes <= limit else { break }
            shown.append(scalar)
        }
        return String(shown)
    }
}

extension String {
    /// Text from another source, made safe for a terminal and for a log of lines. Characters that a terminal would act
    /// on become U+FFFD: control characters, marks that change the direction of writing, and line separators.
    public var withoutCommands: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether it changes the direction of writing, which makes a text look like another one (UAX #9).
    public var changesDirection: Bool {
        switch self {
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: false
        }
    }

    /// Whether programs break a line at it (UAX #14), besides `\n` and `\r`.
    public var separatesLines: Bool { self == "\u{2028}" || self == "\u{2029}" }
}

extension String {
    /// The folder of the file that this path names, with the closing slash. An empty text means the working directory.
    public var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// The folder as a path that can be opened: `.` for the working directory.
    public var openedFolder: String { folder.isEmpty ? "." : folder }
}
