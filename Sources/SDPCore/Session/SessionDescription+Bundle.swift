/// Lines that share a transport (RFC 8843). Of those that are offered we take one, so that it is a group of its own.
extension SessionDescription {
    /// What an answer says for all its lines about the group of this line; nothing when it is in none.
    func bundle(of line: MediaDescription) -> [Attribute] {
        guard let name = line.values(of: "mid").first else { return [] }
        let isBundled = values(of: "group").contains { group in
            let words = group.split(separator: " ")
            return words.first == "BUNDLE" && words.dropFirst().contains { $0 == name }
        }
        return isBundled ? [Attribute("group", "BUNDLE \(name)")] : []
    }
}

extension MediaDescription {
    /// The name by which the line is known in its description (RFC 5888 §4), which an answer repeats.
    var identification: [SessionDescription.Attribute] { attributes.filter { $0.name == "mid" && $0.value != nil } }
}
