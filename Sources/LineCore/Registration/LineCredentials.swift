import Base
import SIPCore

/// The identity of a line at its server.
public struct LineCredentials: Equatable, Sendable {
    /// The user name in its address, and also the one for authentication.
    public var user: String
    public var password: Redacted<String>
    public var displayName: String?
    /// The number that calls show as their origin. Over SIP the server is asked to show it (RFC 3325 §9.2).
    public var callerNumber: String?

    public init(
        user: String, password: Redacted<String>, displayName: String? = nil, callerNumber: String? = nil
    ) {
        self.user = user
        self.password = password
        self.displayName = displayName
        self.callerNumber = callerNumber
    }
}

extension LineConfiguration {
    /// This configuration with other credentials.
    ///
    /// The configured name for authentication, the names and numbers to show, and the token belong to the configured
    /// user. They do not apply to another one. Credentials of the same user without a password keep its secret.
    func taking(_ credentials: LineCredentials) -> LineConfiguration {
        var taken = self
        let isOwn = credentials.user == user
        taken.user = credentials.user
        taken.displayName = credentials.displayName ?? (isOwn ? displayName : nil)
        taken.preferredIdentity = address(ofNumber: credentials.callerNumber) ?? (isOwn ? preferredIdentity : nil)
        if !isOwn { taken.account?.authUser = nil }
        if !isOwn || !credentials.password.reveal().isEmpty {
            taken.account?.password = credentials.password
            taken.account?.token = nil
        }
        return taken
    }

    /// The address of a number at the account's server. Nil without a server or without digits.
    private func address(ofNumber number: String?) -> URI? {
        let digits = (number ?? "").filter { "0123456789*#+".contains($0) }
        guard let account, !digits.isEmpty else { return nil }
        return .sip(SIPURI(user: digits, host: account.domain))
    }
}
