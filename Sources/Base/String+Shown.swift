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
