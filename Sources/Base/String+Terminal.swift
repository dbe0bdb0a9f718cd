extension String {
    /// Text from elsewhere made fit for a terminal and for a log of lines: what a terminal would obey, control characters
    /// and marks that turn the direction of writing, becomes U+FFFD.
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
