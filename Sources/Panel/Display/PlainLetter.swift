/// The nearest ASCII letter, for displays that lack a letter.
enum PlainLetter {
    /// - Returns: An ASCII character itself; nil: there is no such letter.
    static func of(_ character: Character) -> Character? {
        if character.isASCII { return character }
        return groups.first { $0.letters.contains(character) }?.plain
    }

    private static let groups: [(plain: Character, letters: String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄ"), ("a", "àáâãäåāăą"), ("C", "ÇĆĈĊČ"), ("c", "çćĉċč"), ("D", "ÐĎĐ"), ("d", "ðďđ"),
        ("E", "ÈÉÊËĒĔĖĘĚ"), ("e", "èéêëēĕėęě"), ("G", "ĜĞĠĢ"), ("g", "ĝğġģ"), ("H", "ĤĦ"), ("h", "ĥħ"),
        ("I", "ÌÍÎÏĨĪĬĮİ"), ("i", "ìíîïĩīĭįı"), ("J", "Ĵ"), ("j", "ĵ"), ("K", "Ķ"), ("k", "ķ"), ("L", "ĹĻĽĿŁ"),
        ("l", "ĺļľŀł"), ("N", "ÑŃŅŇ"), ("n", "ñńņňŉ"), ("O", "ÒÓÔÕÖØŌŎŐ"), ("o", "òóôõöøōŏő"), ("R", "ŔŖŘ"),
        ("r", "ŕŗř"), ("S", "ŚŜŞŠȘẞ"), ("s", "śŝşšșß"), ("T", "ŢŤŦȚ"), ("t", "ţťŧț"), ("U", "ÙÚÛÜŨŪŬŮŰŲ"),
        ("u", "ùúûüũūŭůűų"), ("W", "Ŵ"), ("w", "ŵ"), ("Y", "ÝŶŸ"), ("y", "ýÿŷ"), ("Z", "ŹŻŽ"), ("z", "źżž"),
        ("'", "‘’‚´`"), ("\"", "“”„«»"), ("-", "‐‑‒–—"), (" ", "\u{A0}"), (".", "…·"),
    ]
}
