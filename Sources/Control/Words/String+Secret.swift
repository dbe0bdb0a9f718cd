extension String {
    /// A URI may carry a password behind its user (RFC 3261 §19.1.1), and a number may be a URI that somebody typed.
    var withoutPassword: String {
        guard let scheme = firstIndex(of: ":"), let at = lastIndex(of: "@"), scheme < at else { return self }
        let user = self[index(after: scheme)..<at]
        guard let colon = user.firstIndex(of: ":") else { return self }
        return String(self[...scheme] + user[..<colon] + self[at...])
    }
}
