import JSON

/// Formats the accounts of `getSetup` as lines for a person.
public enum AccountText {
    public static func lines(_ accounts: JSONValue) -> [String] {
        let accounts = accounts.array ?? []
        guard !accounts.isEmpty else { return ["no accounts"] }
        return TerminalText.table(
            accounts.map { account in
                let place = "\(user(account)) at \(text(account["server"])), \(manner(account))"
                return [text(account["label"]), place, state(account)]
            })
    }

    private static func user(_ account: JSONValue) -> String {
        let user = account["user"]?.string ?? ""
        guard account["token"] == true else { return TerminalText.clean(user) }
        return user.isEmpty ? "a token" : TerminalText.clean(user) + " with a token"
    }

    private static func manner(_ account: JSONValue) -> String {
        var parts = [
            "\(text(account["kind"])) over \(text(account["transport"]))", "encryption \(text(account["protection"]))",
            "ICE \(text(account["ice"]))",
        ]
        if account["signIn"] == true { parts.append("of the sign-in") }
        return parts.joined(separator: ", ")
    }

    private static func state(_ account: JSONValue) -> String {
        let message = account["message"]?.string.map { ": " + TerminalText.clean($0) } ?? ""
        return text(account["state"]) + message
    }

    private static func text(_ value: JSONValue?) -> String { TerminalText.of(value ?? .null) }
}
