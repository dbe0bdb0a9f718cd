extension String {
    /// Marks that may stand above and below one character. No writing that people use has more.
    public static let mostMarks = 4

    /// Text from a stranger made fit to be kept and shown: without what a terminal or a screen would obey (control
    /// characters, marks that turn the direction of writing, line separators) and without what has no meaning to anybody
    /// else (private use, unassigned).
    ///
    /// One character of a text may be of any length, because marks pile up on it: so the text is measured in bytes, and
    /// marks beyond `mostMarks` in a row are left out.
    /// - Parameter limit: The most bytes of UTF-8 that it has.
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
