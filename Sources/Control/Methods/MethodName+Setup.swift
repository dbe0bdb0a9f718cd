import PhoneCore

extension MethodName {
    /// What each method that sets the phone up takes, does and returns.
    var setupReference: MethodReference {
        switch self {
        case .tryDevice: Self.tryDeviceReference
        case .tryAccount: Self.tryAccountReference
        case .addAccount: Self.addAccountReference
        case .planSetup: Self.planSetupReference
        case .writeSetup: Self.writeSetupReference
        case .restart:
            MethodReference(
                does: """
                    ends the phone and starts it again in the same process, so that it reads its configuration and its \
                    accounts; refused while there is a call, and when the phone could not start with its files
                    """)
        default: Self.getSetupReference
        }
    }

    private static let getSetupReference = MethodReference(
        does: """
            tells what of the [first hour](user/getting-started.md) is done, which sound cards, GPIO chips and board files \
            this machine has, and the account that was tried last, without its password
            """,
        result:
            "`{\"accounts\":[…],\"commands\":{…},\"panel\":{…},\"restart\":false,\"sound\":{…},\"tried\":null,\"trying\":null,\"vault\":{…}}`, see below"
    )

    private static let tryDeviceReference = MethodReference(
        [
            .required(
                "route", .word(Route.allCases.map(\.rawValue) + [SetupRequest.ringer]), "a ringer is only played to"),
            .required(
                "part", .words(of: SetupRequest.DevicePart.self),
                "a tone of a second, or three seconds of the microphone, which are played back"),
            .optional("device", choice, "one that `getSetup` offers, instead of the route's own"),
        ],
        "tries the sound devices of a route; refused while the phone uses them, ended when it needs them",
        result: "of `record`: `{\"code\":\"heard\",\"good\":true,\"message\":\"I heard you.\"}`")

    private static let tryAccountReference = MethodReference(
        [
            .required("label", text, "what you call it"), .required("user", text, "what stands before the @"),
            .required("server", text, "a name or an address, with :PORT where it is not the usual one"),
            .optional("password", text, "none: the server asks for none"),
            .optional("authUser", text, "the name for the password, where it is not the user"),
            .optional("displayName", text, ""), .optional("domain", text, "where it is not the server"),
            .optional("transport", .word(AccountDraft.transports), "udp when left out"),
            .optional("protection", .word(AccountDraft.protections), "of voice; mandatory when left out"),
            .optional("pin", text, "the SHA-256 of the one certificate that the server may show"),
            .optional("authorities", text, "a PEM file of this machine: who may have signed the server's certificate"),
        ],
        """
        registers at the server for real and takes that back, which may take half a minute; one at a time, ended when \
        its program goes. The phone remembers the account for a quarter of an hour
        """,
        result: "the member `tried` of `getSetup`")

    private static let addAccountReference = MethodReference(
        [.required("trial", .integer(1...Int64.max), "the number that `tryAccount` told")],
        "keeps the account that was tried last in the vault; the phone uses it from its next start on",
        result: "`{\"restart\":true}`")

    private static let planSetupReference = MethodReference(
        [
            .optional("country", choice, "whose tones are played: one of `sound.countries`"),
            .optional("handset", choice, "a device of `sound.cards`, the present one, `null` or `none`"),
            .optional("speaker", choice, "a device of `sound.cards`, the present one, or `none`"),
            .optional("headset", choice, "as `speaker`"), .optional("ringer", choice, "as `speaker`"),
            .optional("board", choice, "the name of one of `panel.boards` whose chips are here"),
            .optional("label", choice, "the account that `pin` is for"),
            .optional("pin", choice, "as `tryAccount`; goes with `label`"),
            .optional("authorities", choice, "as `tryAccount`, for every account"),
        ],
        """
        shows what the configuration and the board file would be with these choices, and writes nothing. The phone \
        remembers the plan for a quarter of an hour
        """,
        result: "`{\"diff\":\"--- …\",\"files\":[\"/etc/offhook/offhook.yaml\"],\"plan\":4,\"writable\":true}`")

    private static let writeSetupReference = MethodReference(
        [.required("plan", .integer(1...Int64.max), "the number that `planSetup` told")],
        """
        writes the files of the last plan, if nobody has changed them since, and keeps what they were as `.bak`; the \
        phone uses them from its next start on
        """,
        result: "`{\"files\":[\"…: written; what it was is ….bak\"],\"restart\":true}`")

    private static let choice = MethodParameter.Kind.text(limit: SetupChoices.longest)
    private static let text = MethodParameter.Kind.text(limit: AccountDraft.longest)
}
