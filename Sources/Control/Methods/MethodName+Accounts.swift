import JSON

/// The methods that try, add, change and remove accounts.
extension MethodName {
    static let tryAccountReference = MethodReference(
        AccountDraft.Field.allCases.map { $0.parameter(isRequired: $0 == .label, $0.does) },
        """
        Registers with the server for real, then unregisters; may take half a minute. Ends with its client. The phone \
        remembers the account for 15 minutes.
        """,
        result: "like `tried` of `getSetup`")

    static let addAccountReference = MethodReference(
        [.optional("trial", .integer(1...Int64.max), "the number from `tryAccount`; then nothing else")]
            + AccountDraft.Field.kept.map {
                $0.parameter(isRequired: false, $0 == .label ? "needed without `trial`" : "")
            },
        """
        Adds the last tried account, or one with these fields as in `tryAccount`. It is in the vault and in use at \
        once. Other accounts and calls go on.
        """, result: label)

    static let changeAccountReference = MethodReference(
        [.required("account", .account, "")]
            + AccountDraft.Field.kept.map { $0.parameter(isRequired: false, $0 == .label ? "the new label" : "") },
        """
        Changes an account at once; the fields are as in `tryAccount`. Omitted fields stay unchanged, and an empty \
        text removes a value. Another server, or a less protected way to it, needs the password or the token again.
        """, result: label)

    static let removeAccountReference = MethodReference(
        [.required("account", .account, "")], "Unregisters an account, and removes it with its secrets.")

    private static let label = "`{\"label\":\"desk\"}`"
}

extension AccountDraft.Field {
    /// The fields that the vault keeps.
    static let kept = allCases.filter { !$0.isOfTrial }

    func parameter(isRequired: Bool, _ does: String) -> MethodParameter {
        MethodParameter(name: rawValue, kind: kind, isRequired: isRequired, does: does)
    }

    private var kind: MethodParameter.Kind {
        switch self {
        case .label, .user, .server, .password, .authUser, .displayName, .domain, .turnPassword, .pin, .authorities:
            .text(limit: AccountDraft.longest)
        case .token: .text(limit: AccountDraft.longestToken)
        case .stun, .turn: .text(limit: AccountDraft.longestList)
        case .kind: .word(AccountDraft.kinds)
        case .transport: .word(AccountDraft.transports)
        case .protection: .word(AccountDraft.protections)
        case .ice: .word(AccountDraft.policies)
        case .registers, .allowClearPassword: .flag
        }
    }

    /// The meaning, as Markdown.
    fileprivate var does: String {
        switch self {
        case .label: "name for people"
        case .kind: "protocol of the server; default: `sip`"
        case .user: "part of the address before the @; needed without `token`"
        case .server: "a name or an address, with :PORT if it is not the default; needed unless `kind` is `telnyx`"
        case .password: "omit it if the server needs none"
        case .token: "login token of Telnyx, instead of `password`"
        case .authUser: "name for authentication, if it is not the user"
        case .displayName: ""
        case .domain: "if it is not the server"
        case .transport: "default: `udp`; for Verto and Telnyx `wss`"
        case .protection: "of voice; default: `mandatory`; for Verto and Telnyx `dtls`"
        case .registers: "default: `true`"
        case .ice: "default: `answered`; for Verto and Telnyx `always`"
        case .stun: "servers as HOST or HOST:PORT, with spaces between them"
        case .turn: "servers as `[turns:]USER@HOST[:PORT][?transport=tcp]`, with spaces between them"
        case .turnPassword: "of all TURN servers"
        case .allowClearPassword: "lets Verto over `ws` send the password unencrypted"
        case .pin: "SHA-256 of the only certificate that the server may show"
        case .authorities: "PEM file on this machine with the authorities to trust"
        }
    }
}
