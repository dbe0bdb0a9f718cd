/// Lines that share a transport (RFC 8843). We accept one of the offered lines, which then forms a group alone.
extension SessionDescription {
    /// The session attribute of an answer for the group of this line. Empty if the line is in no group.
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
    /// The line's name in its description (RFC 5888 §4), which an answer repeats.
    var identification: [SessionDescription.Attribute] { attributes.filter { $0.name == "mid" && $0.value != nil } }
}
