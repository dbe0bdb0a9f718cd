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
            MethodReference(
                does: """
                    Restarts the phone in the same process, to read the configuration again. Rejected during a call, \
                    and if the phone would not start.
                    """)
        case .reload:
            MethodReference(
                does: """
                    Reads the configuration again, also during a call, and applies what can change while the phone \
                    runs. Returns the changed keys: those in effect now, and those that need a restart. A wrong file \
                    changes nothing.
                    """,
                result: "`{\"applied\":[\"calls.dial_plan\"],\"restart\":[\"sip.port\"]}`")
        default: Self.getSetupReference
        }
    }

    private static let getSetupReference = MethodReference(
        does: """
            Returns the state of [setup](user/getting-started.md), this machine's sound cards, GPIO chips and board \
            files, and the last tried account, without any secret.
            """,
        result:
            "`{\"accounts\":[…],\"commands\":{…},\"panel\":{…},\"restart\":false,\"sound\":{…},\"tried\":null,\"trying\":null,\"vault\":{…}}`, see below"
    )

    private static let tryDeviceReference = MethodReference(
        [
            .required(
                "route", .word(Route.allCases.map(\.rawValue) + [SetupRequest.ringer]), "`ringer` only with `play`"),
            .required(
                "part", .words(of: SetupRequest.DevicePart.self),
                "play a tone for a second, or record three seconds and play them"),
            .optional("device", choice, "a device from `getSetup`, instead of the route's own"),
        ],
        "Tries the sound devices of a route. Rejected while the phone uses them; ended when the phone needs them.",
        result: "of `record`: `{\"code\":\"heard\",\"good\":true,\"message\":\"The microphone works.\"}`")

    private static let planSetupReference = MethodReference(
        [
            .optional("country", choice, "country of the tones: one of `sound.countries`"),
            .optional("handset", choice, "a device of `sound.cards`, the present one, `null` or `none`"),
            .optional("speaker", choice, "a device of `sound.cards`, the present one, or `none`"),
            .optional("headset", choice, "as `speaker`"), .optional("ringer", choice, "as `speaker`"),
            .optional("board", choice, "name of one of `panel.boards` that fits"),
            .optional("label", choice, "account for `pin`"),
            .optional("pin", choice, "as in `tryAccount`; needs `label`"),
            .optional("authorities", choice, "as in `tryAccount`, for every account"),
        ],
        """
        Returns the changes of configuration and board file for these choices, without writing them. The phone \
        remembers the plan for 15 minutes.
        """,
        result: "`{\"diff\":\"--- …\",\"files\":[\"/etc/offhook/offhook.yaml\"],\"plan\":4,\"writable\":true}`")

    private static let writeSetupReference = MethodReference(
        [.required("plan", .integer(1...Int64.max), "the number from `planSetup`")],
        """
        Writes the last plan's files, unless somebody has changed them since. Old files stay as `.bak`. The phone uses \
        at once what it can; `restart` tells whether the rest needs a restart.
        """,
        result: "`{\"files\":[\"…: written; the old file is ….bak\"],\"restart\":true}`")

    private static let choice = MethodParameter.Kind.text(limit: SetupChoices.longest)
}
