import JSON
import PhoneCore

extension MethodName {
    /// The parameters, effect and result of each setup method.
    var setupReference: MethodReference {
        switch self {
        case .tryDevice: Self.tryDeviceReference
        case .tryAccount: Self.tryAccountReference
        case .addAccount: Self.addAccountReference
        case .changeAccount: Self.changeAccountReference
        case .removeAccount: Self.removeAccountReference
        case .planSetup: Self.planSetupReference
        case .writeSetup: Self.writeSetupReference
        case .restart:
            .setup(
                """
                Restarts the phone in the same process, to read the configuration again. Rejected during a call, \
                and if the phone would not start.
                """, errors: [.busy, .inCall, .wouldNotStart], request: .restart)
        case .reload:
            .setup(
                """
                Reads the configuration again, also during a call, and applies what can change while the phone \
                runs. Returns the changed keys: those in effect now, and those that need a restart. A wrong file \
                changes nothing.
                """, result: "`{\"applied\":[\"calls.dial_plan\"],\"restart\":[\"sip.port\"]}`",
                errors: [.busy, .notReloaded], request: .reload)
        default: Self.getSetupReference
        }
    }

    private static let getSetupReference: MethodReference = .setup(
        """
        Returns the state of [setup](user/getting-started.md), this machine's sound cards, GPIO chips and board \
        files, and the last tried account, without any secret.
        """,
        result:
            "`{\"accounts\":[…],\"commands\":{…},\"kinds\":{…},\"panel\":{…},\"restart\":false,\"sound\":{…},\"tried\":null,\"trying\":null,\"vault\":{…}}`, see below",
        request: .look)

    private static let tryDeviceReference: MethodReference = .setup(
        "Tries the sound devices of a route. Rejected while the phone uses them; ended when the phone needs them.",
        [
            .required(
                "route", .word(Route.allCases.map(\.rawValue) + [SetupRequest.ringer]), "`ringer` only with `play`"),
            .required(
                "part", .words(of: SetupRequest.DevicePart.self),
                "play a tone for a second, or record three seconds and play them"),
            .optional("device", choice, "a device from `getSetup`, instead of the route's own"),
        ], result: "of `record`: `{\"code\":\"heard\",\"good\":true,\"message\":\"The microphone works.\"}`",
        errors: [.busy, .noDevice, .deviceFailed, .soundInUse], reads: SetupRequest.trial)

    private static let planSetupReference: MethodReference = .setup(
        """
        Returns the changes of configuration and board file for these choices, without writing them. The phone \
        remembers the plan for 15 minutes.
        """,
        SetupChoices.Name.allCases.map { .optional($0.rawValue, choice, $0.does) },
        result: "`{\"diff\":\"--- …\",\"files\":[\"/etc/offhook/offhook.yaml\"],\"plan\":4,\"writable\":true}`",
        errors: [.busy, .notPlanned]
    ) { params throws(RPCError) in .plan(try SetupChoices(params)) }

    private static let writeSetupReference: MethodReference = .setup(
        """
        Writes the last plan's files, unless somebody has changed them since. Old files stay as `.bak`. The phone uses \
        at once what it can; `restart` tells whether the rest needs a restart.
        """, [.required("plan", .integer(1...Int64.max), "the number from `planSetup`")],
        result: "`{\"files\":[\"…: written; the old file is ….bak\"],\"restart\":true}`",
        errors: [.busy, .noSuchPlan, .notWritten]
    ) { params throws(RPCError) in .write(plan: try params.integer("plan", in: 1...Int64.max)) }

    private static let choice = MethodParameter.Kind.text(limit: SetupChoices.longest)
}

/// The methods that try, add, change and remove accounts.
extension MethodName {
    static let tryAccountReference: MethodReference = .setup(
        """
        Registers with the server for real, then unregisters; may take half a minute. Ends with its client. The phone \
        remembers the account for 15 minutes.
        """, AccountDraft.Field.allCases.map { $0.parameter(isRequired: $0 == .label, $0.does) },
        result: "like `tried` of `getSetup`", errors: [.busy, .trialFailed]
    ) { params throws(RPCError) in .tryAccount(try AccountDraft(params, changes: false)) }

    static let addAccountReference: MethodReference = .setup(
        """
        Adds the last tried account, or one with these fields as in `tryAccount`. It is in the vault and in use at \
        once. Other accounts and calls go on.
        """,
        [.optional("trial", .integer(1...Int64.max), "the number from `tryAccount`; then nothing else")]
            + AccountDraft.Field.kept.map {
                $0.parameter(isRequired: false, $0 == .label ? "needed without `trial`" : "")
            }, result: label, errors: [.busy, .noSuchTrial, .notKept], reads: SetupRequest.addition)

    static let changeAccountReference: MethodReference = .setup(
        """
        Changes an account at once; the fields are as in `tryAccount`. Omitted fields stay unchanged, and an empty \
        text removes a value. Another server, or a less protected way to it, needs the password or the token again.
        """,
        [.required("account", .account, "")]
            + AccountDraft.Field.kept.map { $0.parameter(isRequired: false, $0 == .label ? "the new label" : "") },
        result: label, errors: [.busy, .inCall, .accountInUse, .notKept]
    ) { params throws(RPCError) in .changeAccount(try params.neededAccount(), try AccountDraft(params, changes: true)) }

    static let removeAccountReference: MethodReference = .setup(
        "Unregisters an account, and removes it with its secrets.", [.required("account", .account, "")],
        errors: [.busy, .inCall, .accountInUse, .notKept]
    ) { params throws(RPCError) in .removeAccount(try params.neededAccount()) }

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
