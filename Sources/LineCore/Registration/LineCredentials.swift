import Base
import SIPCore

/// The identity of a line at its server.
public struct LineCredentials: Equatable, Sendable {
    /// The user name in its address, and also the one for authentication.
    public var user: String
    public var password: Redacted<String>
    /// The login token, for a server that accepts one in place of a user and a password.
    public var token: Redacted<String>?
    public var displayName: String?
    /// The number that calls show as their origin. Over SIP the server is asked to show it (RFC 3325 §9.2).
    public var callerNumber: String?

    public init(
        user: String, password: Redacted<String>, token: Redacted<String>? = nil, displayName: String? = nil,
        callerNumber: String? = nil
    ) {
        self.user = user
        self.password = password
        self.token = token
        self.displayName = displayName
        self.callerNumber = callerNumber
    }
}

extension LineConfiguration {
    /// This configuration with other credentials.
    ///
    /// The configured name for authentication, the names and numbers to show, and the token belong to the configured
    /// user. They do not apply to another one. Credentials of the same user without a password or token keep its secret.
    package func taking(_ credentials: LineCredentials) -> LineConfiguration {
        var taken = self
        let isOwn = credentials.user == user
        taken.user = credentials.user
        taken.displayName = credentials.displayName ?? (isOwn ? displayName : nil)
        taken.callerNumber = number(credentials.callerNumber) ?? (isOwn ? callerNumber : nil)
        taken.preferredIdentity = address(ofNumber: credentials.callerNumber) ?? (isOwn ? preferredIdentity : nil)
        if !isOwn { taken.account?.authUser = nil }
        if !isOwn || !credentials.password.reveal().isEmpty || credentials.token != nil {
            taken.account?.password = credentials.password
            taken.account?.token = credentials.token
        }
        return taken
    }

    /// Nil if it has nothing that can be dialled.
    private func number(_ text: String?) -> String? {
        text?.contains { Self.dialled.contains($0) } == true ? text : nil
    }

    /// The address of a number at the account's server. Nil without a server or without digits.
    private func address(ofNumber number: String?) -> URI? {
        let digits = (number ?? "").filter { Self.dialled.contains($0) }
        guard let account, !digits.isEmpty else { return nil }
        return .sip(SIPURI(user: digits, host: account.domain))
    }

    private static var dialled: String { "0123456789*#+" }
}
