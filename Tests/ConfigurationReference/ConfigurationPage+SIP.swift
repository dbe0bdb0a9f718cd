extension ConfigurationPage {
    /// The section `sip`.
    static let sip = ConfigurationPage(
        name: "sip",
        title: "`sip`: signalling",
        summary: "Where lines listen, who may call without a server, TLS, and what accounts ask of their servers.",
        task: """
            Let two other phones call this one without a server, over IPv4 and IPv6:
            """,
        example: """
            sip:
              address: any
              peers: [192.0.2.7, "2001:db8::7"]
            """,
        commands: "",
        introduction: "",
        tables: [
            .init(
                "Addresses and peers",
                [
                    .init(
                        "sip.address", "`0.0.0.0`",
                        """
                        The address to listen on. `any`: all of IPv4 and IPv6. The phone waits for an address that \
                        is not there yet.
                        """),
                    .init(
                        "sip.port", "`5060`",
                        """
                        The first line's port. Further lines get a free port from the kernel. `0`: all lines get a \
                        free port.
                        """),
                    .init(
                        "sip.peers", "none",
                        """
                        Up to 64 numeric addresses that may call without an account. One entry opens the direct \
                        line.
                        """),
                    .init(
                        "sip.protection", "`mandatory`",
                        """
                        Key exchange of the direct line's calls: `mandatory` or `dtls`. See [protection of \
                        voice](accounts.md#protection-of-voice).
                        """),
                    .init(
                        "sip.ice", "`answered`",
                        """
                        How the direct line uses ICE: `answered`, `always` or `off`. See [paths through \
                        NATs](accounts.md#paths-through-nats).
                        """),
                    .init("sip.stun", "none", "Numeric addresses of 1 to 4 STUN servers for the direct line."),
                    .init(
                        "sip.name_servers", "the system's",
                        "Numeric addresses of 1 to 4 DNS servers for finding SIP servers."),
                ]),
            .init(
                "TLS",
                [
                    .init(
                        "sip.tls.authorities", "the system's",
                        "A PEM file with the authorities that may sign a server's certificate."),
                    .init(
                        "sip.tls.certificate", "none",
                        """
                        A PEM file: the phone's own certificate, for servers that ask and for callers at \
                        `sip.tls.port`.
                        """),
                    .init(
                        "sip.tls.key", "none",
                        """
                        A PEM file: its key. Mode 600, or 640 with the phone's group; the owner is the phone or \
                        root.
                        """),
                    .init(
                        "sip.tls.port", "none",
                        """
                        Where the first line listens for TLS, if it is the direct line or a TLS account that does \
                        not register.
                        """),
                    .init(
                        "sip.tls.pins", "none",
                        """
                        By an account's label: SHA-256 of the only certificate that its server may show, whatever \
                        authority signed it.
                        """),
                ]),
            .init(
                "What servers and far ends see",
                [
                    .init(
                        "sip.withhold_number", "`false`",
                        "Hide the number from far ends: `From` is anonymous (RFC 3323)."),
                    .init(
                        "sip.withhold_prefix", "none",
                        """
                        Dialled before a number, it reverses `withhold_number` for one call and is not sent: \
                        `"*67"`.
                        """),
                    .init(
                        "sip.server_withholds", "none",
                        """
                        Labels of accounts whose servers hide a withheld number themselves (`Privacy: id`). Such a \
                        server gets the true `From`, by which it finds the account.
                        """),
                    .init(
                        "sip.identities", "none",
                        """
                        By an account's label: the number or SIP address that the server is asked to show \
                        (`P-Preferred-Identity`). The server decides.
                        """),
                    .init(
                        "sip.gruu", "`false`",
                        """
                        Ask servers for an address that reaches this phone through them (RFC 5627). Only for proxies \
                        that can route it.
                        """),
                    .init(
                        "sip.ask_for_messages", "none",
                        """
                        Labels of accounts whose servers report waiting messages only to subscribers (`SUBSCRIBE`, \
                        or mod_verto's event channel).
                        """),
                    .init(
                        "sip.trust_from", "none",
                        """
                        Labels of accounts whose servers write `From` themselves. It then counts for \
                        [rights](calls.md#who-has-rights).
                        """),
                    .init(
                        "sip.session_time", "`30 min`",
                        "How long a call lasts if no end refreshes it (RFC 4028): `90 s` to `1 d`."),
                    .init(
                        "sip.shortest_session_time", "`90 s`",
                        "Calls that ask for a shorter session time are rejected with this minimum."),
                ]),
        ],
        details: """
            ## The direct line

            The direct line belongs to no server. It exists if `sip.peers` is not empty or the vault has no
            account. It is then the first line and has `sip.port`; accounts get ports from the kernel. Without
            it the first account has `sip.port`. [Two phones without a server](../two-phones.md) is a whole
            example.

            ## TLS

            Over TLS (1.2 or 1.3) the phone verifies the server's certificate. A trusted authority must have
            signed it, and it must name the account's server or its domain. The name is a `sip:` URI or a host
            name, complete and without wildcards (RFC 5922); a numeric server is matched by its address. The
            common name is ignored. A pin replaces all these checks:

            ```yaml
            sip:
              tls:
                authorities: pbx-ca.pem
                pins: {office: "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08"}
            ```

            This command prints the value for `pins`; colons are accepted:

            ```
            openssl x509 -in server.pem -noout -fingerprint -sha256
            ```

            If an account does not register, a caller at its `sip.tls.port` must show the server's certificate.
            The same rules apply to that certificate. The direct line asks its callers for no certificate.
            `sip.tls.port` needs `certificate` and `key`.

            ## A withheld number

            Asterisk accepts calls with a withheld number only with `identify_by=auth_username,username`.
            Without `withhold_prefix`, codes such as `*67` go to the server as dialled.
            """)
}
