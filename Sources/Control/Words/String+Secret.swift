extension String {
    /// The text without a URI's password (RFC 3261 §19.1.1). A number may be a URI that a person typed.
    var withoutPassword: String {
        guard let scheme = firstIndex(of: ":"), let at = lastIndex(of: "@"), scheme < at else { return self }
        let user = self[index(after: scheme)..<at]
        guard let colon = user.firstIndex(of: ":") else { return self }
        return String(self[...scheme] + user[..<colon] + self[at...])
    }
}
