extension ConfigurationPage {
    static let backend = ConfigurationPage(
        name: "backend",
        title: "Backend",
        summary: "The backend that signs the phone in, gives it accounts, and describes callers.",
        task: "Let a person sign the phone in at a backend, with a code on another device:",
        example: """
            backend:
              url: https://phones.example.com
              name: Front desk
            """,
        commands: """
            offhook ctl sign-in
            offhook ctl organization list
            """,
        introduction: """
            The phone needs Debian's `libcurl4` for it, and a [backend](../../backend.md) with this API. The account of
            the sign-in appears beside the phone's other accounts. Signing out removes it.
            """,
        tables: [
            .init(
                "",
                [
                    .init(
                        "backend.url", "required",
                        "The backend's address. It begins with `https://`; `http://` is for this machine only."),
                    .init(
                        "backend.issuer", "`backend.url`",
                        "The identity provider, exactly as it names itself in ID tokens."),
                    .init("backend.client", "`offhook`", "The phone's client identifier at the identity provider."),
                    .init(
                        "backend.scopes", "`openid profile email offline_access`",
                        "The scopes of the sign-in. `openid` is needed."),
                    .init("backend.name", "none", "The phone's name for people, shown by the backend."),
                    .init(
                        "backend.caller_info", "`true`",
                        "Whether the phone registers at the backend for caller info. `caller_info` comes first."),
                    .init(
                        "backend.authorities", "`sip.tls.authorities`",
                        "A PEM file with the authorities that may sign the certificates of backend and identity provider."
                    ),
                    .init(
                        "backend.pin", "none",
                        "SHA-256 of the only certificate that the backend may show, whatever authority signed it."),
                    .init(
                        "backend.proxy", "none",
                        "An HTTP proxy, such as `proxy.example.com:3128`. The environment's proxies do not count."),
                    .init("backend.paths.device_tokens", "`/api/device-tokens`", "Where the phone registers."),
                    .init("backend.paths.token", "`/api/token`", "Where it gets access tokens."),
                    .init("backend.paths.organizations", "`/api/organizations`", "Where it lists organisations."),
                    .init("backend.paths.switch", "`/api/voip/switch-org`", "Where it changes the organisation."),
                    .init("backend.paths.credentials", "`/api/voip-credentials`", "Where it renews its credentials."),
                    .init(
                        "backend.paths.push_registrations", "`/api/push-registrations`",
                        "Where it registers for caller info."),
                ])
        ],
        details: """
            ## What the phone checks

            The backend's certificate must be signed by an authority and have the backend's name, or be the
            pinned one. An ID token counts only with a valid signature (RS256, ES256), this issuer, this
            client, and a time within 60 s of the phone's clock. Without the time, a sign-in fails with that
            reason; repeat it when the clock is set.

            The device token stays in the vault and goes to this backend only. A redirect to another host is
            refused. [Security](../security.md)

            ## The account

            The account of a sign-in has the label `backend`. A phone that had none restarts in its process
            when there is no call, and then registers. It takes new credentials without a restart.

            ## When the backend is away

            Calls go on. Credentials that are older than 30 days are renewed as soon as the backend is back.
            A change of organisation fails within 4.5 s, and the phone works for the former organisation.
            """)
}
