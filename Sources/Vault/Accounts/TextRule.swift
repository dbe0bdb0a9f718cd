/// The rule for texts from a person or a server: a limited length, and no control characters, which a terminal would
/// obey.
enum TextRule {
    static let bytesMaximum = 256

    static func check(
        required: KeyValuePairs<String, String>, optional: KeyValuePairs<String, String?> = [:]
    ) throws(VaultError) {
        for (field, text) in required where text.isEmpty {
            throw .invalidValue(field: field, expected: "a text that is not empty")
        }
        for (field, text) in required.map({ ($0, $1 as String?) }) + Array(optional) {
            guard let text else { continue }
            guard text.utf8.count <= bytesMaximum, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalidValue(field: field, expected: "at most \(bytesMaximum) bytes and no control character")
            }
        }
    }
}
