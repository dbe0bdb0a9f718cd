import Base

/// Writes values as YAML, like a person: with quotes only if necessary.
enum YAMLText {
    private static let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

    static func scalar(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\t": "\\t"
            default: scalar.value < 0x20 || scalar.value == 0x7F ? "" : String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// Whether YAML reads the text as a string: not as a number, a keyword or punctuation.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "/") else { return false }
        return !words.contains(text.lowercased())
            && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "/._-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
