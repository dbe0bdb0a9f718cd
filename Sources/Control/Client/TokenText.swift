import JSON

/// Formats the answer to `getTokens` as lines for a person.
public enum TokenText {
    /// - Parameter time: Formats milliseconds since 1970, in UTC.
    public static func lines(_ answer: JSONValue, time: (Int64) -> String) -> [String] {
        let tokens = answer["tokens"]?.array ?? []
        guard !tokens.isEmpty else { return ["no tokens"] }
        return TerminalText.table(
            tokens.map { token in
                [
                    TerminalText.of(token["label"] ?? .null), TerminalText.of(token["scope"] ?? .null),
                    token["created"]?.integer.map(time) ?? "?",
                ]
            })
    }
}
