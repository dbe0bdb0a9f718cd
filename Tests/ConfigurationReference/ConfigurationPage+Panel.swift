extension ConfigurationPage {
    /// The section `network`.
    static let network = ConfigurationPage(
        name: "network",
        title: "`network`: loss and change of the network",
        summary: "Whether the phone follows changes of the network, and how long calls survive without one.",
        task: """
            Keep calls for two minutes when the network fails:
            """,
        example: """
            network:
              timeout: 2 min
            """,
        commands: "",
        introduction: "",
        tables: [
            .init(
                "",
                [
                    .init(
                        "network.watch", "`true`",
                        """
                        Whether the kernel reports network changes to the phone. `false` suits a phone whose servers \
                        run on its own machine.
                        """),
                    .init(
                        "network.timeout", "`30 s`", "How long a call survives without a network, `5 s` to `10 min`."),
                    .init(
                        "network.reconnect_timeout", "`60 s`",
                        "How long a call may take to move to another path, `5 s` to `10 min`."),
                ])
        ],
        details: """
            ## Path and kind

            The phone reads its path from the kernel at the start and after each change of links, addresses or
            routes. It does not poll. When another path has lasted half a second, all accounts register again
            and calls that are up move to it. A phone without a path reports that, and its calls end after
            `network.timeout`. The path depends on `sip.address`:

            | `sip.address` | path |
            |---|---|
            | one address | That address, while a link with a carrier has it. `127.0.0.1` always counts. |
            | `0.0.0.0`, `"::"`, `any` | The address from which the kernel reaches the rest of the world. |
            | one of these wildcards, without such a route | All addresses on links with a carrier, except link-local ones. |
            | one of these wildcards, with only the loopback | The loopback, of the kind `other`. |

            The address in the second row follows the kernel's routes, metrics and rules. With privacy addresses
            (RFC 8981) it is the current one. Other addresses that appear or disappear change nothing.

            The third row is for an isolated network, where the server is a neighbour. The phone prefers cables,
            radios and modems to VPNs and bridges. Addresses in 169.254.0.0/16 count only if there are no
            others.

            The kind is that of the link with the first address: `wired`, `wifi`, `cellular` (modems, PPP) or
            `other`. A VLAN has the kind of the link below it. A bridge or bond has the kind of its best port.
            Docker's bridge, a VPN and the like are `other`.

            ## Limits

            A machine that wakes from sleep registers its accounts when a link reports a change, or when a line
            next has something to do. Over UDP that is within 29 s.

            Some servers have a route of their own, such as a VPN. When that route changes, the account
            registers again, but its calls do not move.

            Any user may read network changes from the kernel. The systemd unit allows `AF_NETLINK` for this, in
            `RestrictAddressFamilies`.
            """)

    /// The section `panel`.
    static let panel = ConfigurationPage(
        name: "panel",
        title: "`panel`: how the telephone behaves",
        summary: "Hook flash, the display's language, and the times of dialling and howler.",
        task: """
            Use a tap on the cradle as hook flash, and a German display:
            """,
        example: """
            panel:
              language: de
              flash: {shortest: 80 ms, longest: 700 ms}
              digit_time: 3 s
            """,
        commands: "",
        introduction: """
            `automatic` enables the flash on boards that have none of the keys `hold`, `transfer` and `flash`.

            The lines of hook, keys and lamps are in another file, [the board file](board-file.md). The key
            `board` at the top of the configuration names it.
            """,
        tables: [
            .init(
                "",
                [
                    .init("panel.language", "`en`", "Language of the display: `en` or `de`."),
                    .init(
                        "panel.flash", "`automatic`",
                        """
                        Whether a tap on the cradle puts a call on hold: `automatic`, `off`, or a mapping with the \
                        next two keys.
                        """),
                    .init("panel.flash.shortest", "`100 ms`", "The shortest tap that counts, `20 ms` to `1 s`."),
                    .init("panel.flash.longest", "`900 ms`", "The longest tap that counts, `100 ms` to `3 s`."),
                    .init(
                        "panel.on_hook_declines", "`false`",
                        "Replacing the handset while the phone rings declines the call."),
                    .init(
                        "panel.digit_time", "`4 s`",
                        "The pause after the last digit until the number is dialled, `1 s` to `30 s`."),
                    .init(
                        "panel.off_hook_time", "`30 s`",
                        "Time off-hook without dialling until the congestion tone, `1 s` to `10 min`."),
                    .init(
                        "panel.congestion_time", "`20 s`",
                        "Length of the congestion tone until the howler, `1 s` to `10 min`."),
                    .init("panel.howler_time", "`30 s`", "Length of the howler until silence, `1 s` to `10 min`."),
                    .init(
                        "panel.hands_free_tone_time", "`5 s`",
                        "How long a failure tone sounds in a call without the handset, `1 s` to `1 min`."),
                ])
        ],
        details: "")
}
