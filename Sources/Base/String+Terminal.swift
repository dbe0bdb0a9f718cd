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
