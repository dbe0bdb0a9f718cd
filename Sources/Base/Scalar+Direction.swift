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
