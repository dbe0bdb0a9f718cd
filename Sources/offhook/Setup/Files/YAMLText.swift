import YAML

/// Writes values as YAML, like a person: with quotes only if necessary.
enum YAMLText {
    /// Control characters other than tabs are dropped.
    static func scalar(_ text: String) -> String {
        YAMLNode.written(
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.filter { $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F })))
    }
}
