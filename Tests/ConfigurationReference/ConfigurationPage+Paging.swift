extension ConfigurationPage {
    /// The section `paging`.
    static let paging = ConfigurationPage(
        name: "paging",
        title: "`paging`: speech to many phones",
        summary: "Multicast groups whose pages this phone plays and sends.",
        task: """
            Play fire alarms at any time, and let this phone page the canteen:
            """,
        example: """
            paging:
              groups:
                - {address: 239.255.1.1, port: 5004, label: fire, interrupts_calls: true, emergency: true}
                - {address: 239.255.1.2, port: 5004, label: canteen, codec: g722, send: true, longest: 30 s}
            """,
        commands: "",
        introduction: """
            A page is speech to all phones of a group; no phone answers it. It is plain RTP to a multicast
            address without signalling, as desk phones of other makers send it. The RTP payload types are those
            of RFC 3551.
            """,
        tables: [
            .init(
                "Groups",
                [
                    .init("paging.route", "`speaker`", "The route on which pages are played. It needs a device."),
                    .init(
                        "paging.groups", "required there",
                        "1 to 16 groups; the first has the highest priority. Without `paging` no page is played."),
                    .init(
                        "paging.groups[].address", "required there",
                        "A multicast address in `224.0.0.0/4`, or in `ff00::/8` with a scope beyond one link."),
                    .init("paging.groups[].port", "required there", "The UDP port, 1024 to 65535."),
                    .init("paging.groups[].label", "the address", "The group's name for people."),
                    .init(
                        "paging.groups[].codec", "`pcmu`, `pcma` and `g722`",
                        "The group's only codec: one of these, or `opus`."),
                    .init(
                        "paging.groups[].payload_type", "`111`",
                        "RTP payload type of `opus`, 96 to 127. No standard assigns one."),
                ]),
            .init(
                "Pages that are played",
                [
                    .init(
                        "paging.groups[].interrupts_calls", "`false`",
                        "Play its pages while the phone is in use. A call is paused for that time."),
                    .init("paging.groups[].emergency", "`false`", "Play its pages during do-not-disturb."),
                    .init(
                        "paging.groups[].longest_heard", "`5 min`",
                        """
                        Longest page, `1 s` to `1 h`. Its source must then be silent for 30 s before it may page \
                        again.
                        """),
                    .init(
                        "paging.groups[].sources", "all hosts",
                        "1 to 16 numeric addresses: the only hosts whose pages are played."),
                ]),
            .init(
                "Pages that are sent",
                [
                    .init("paging.groups[].send", "`false`", "This phone may page the group."),
                    .init(
                        "paging.groups[].longest", "`1 min`",
                        "Longest page from this phone, `1 s` to `1 h`. Needs `send: true`."),
                    .init(
                        "paging.groups[].hops", "`1`",
                        """
                        Time to live, 1 to 255: how many networks the page reaches. 1: only the phone's network. Needs \
                        `send: true`.
                        """),
                ]),
        ],
        details: """
            ## Pages that this phone plays

            Of several pages the phone plays the one whose group comes first in the list. When that page ends,
            the phone resumes an interrupted page that still continues. A page is not played while a person uses
            the phone or a call is up. An answered call ends it.

            `interrupts_calls` changes that for a group. The call is then paused: neither end hears the other
            while the page lasts, because the far end would hear the page, too. New calls ring as usual during a
            page. A page is as loud as a call. It ends when nothing has arrived for a second. The events
            `pageStarted`, `pageEnded` and `pageNotHeard` inform programs.

            ## What a neighbour can do

            Pages are neither encrypted nor authenticated: any host that reaches the group can page. Use a
            network for phones only. `sources` prevents accidents, but it does not stop a determined neighbour,
            because addresses can be forged.

            The phone drops packets to its own address at that port. It also drops packets from any other
            interface than the one with its address: `sip.address`, or the address of its network path. A page
            begins when two packets arrive in order. Its source then keeps the group until that source is
            silent. Packets from other sources or with other payload types are dropped and counted (`packets` in
            `getStatistics`). The phone answers nothing.

            ## Pages from this phone

            Three things start and end a page to group N: the key `page-N`, `offhook ctl page start N` with
            `offhook ctl page stop`, and the method `startPage`. The person speaks into the lifted handset, or
            else into the microphone of the speaker. The page is sent in 20 ms packets and the group's `codec`,
            from the interface with the phone's address, unencrypted. A group of several codecs gets `pcmu`.

            The microphone works as in a call, including mute. Display, `sentPage` of `getSnapshot`, and the
            events `pageSendingStarted` and `pageSendingEnded` show the page. It ends when:

            - the person hangs up or does something else;
            - a call gets the sound;
            - `longest` is over; the congestion tone follows;
            - the phone plays a page of an earlier group with `interrupts_calls`;
            - something more important has the sound, or nothing can be sent.

            The phone refuses to page (`soundInUse`) while a call has the sound: put the call on hold first. It
            also refuses while a call rings, and while it plays a page of an earlier group. While another phone
            pages the same group, the refusal is `alreadyUnderWay`.

            A call that arrives during a page sounds the call waiting tone; answering it ends the page. A call
            that was put on hold for a page stays on hold when the handset is replaced. Pages of later groups
            are not played during a page. Wait one second before you page the same group again: receivers drop
            audio until then.
            """)

    /// The section `alarms`.
    static let alarms = ConfigurationPage(
        name: "alarms",
        title: "`alarms`: inputs that call somebody",
        summary: "Inputs of the board that place a call when they become active.",
        task: """
            Call the guard when the case is opened; if the guard does not answer, call extension 200:
            """,
        example: """
            alarms:
              tamper: [sip:guard@pbx.example, 200]
            """,
        commands: "",
        introduction: """
            An alarm calls on the speaker and needs no person, whether the handset is lifted or not. So
            `sound.speaker` is required, and the phone rejects an alarm whose input the board does not have.

            Each activation calls the targets once, in turn, until one answers. An alarm never calls during
            another call. It waits for the end of that call, at most for `wait`, and only while the contact
            stays active. If the contact becomes inactive first, the alarm is dropped. In the same way it waits
            until its account is registered. An input that is active when Offhook starts counts as becoming
            active.

            An input calls at most once in each `pause`, however often its contact moves. If the contact is
            active when the pause ends, the phone calls then. The log and the event `alarmRaised` report each
            call, the start of a wait, and an alarm that was given up. All inputs also cause the event
            `panelChanged`.
            """,
        tables: [
            .init(
                "",
                [
                    .init(
                        "alarms.NAME", "none",
                        """
                        The board input with this name calls a target, a list of targets tried in turn, or a \
                        mapping. At most 16.
                        """),
                    .init("alarms.NAME.targets", "required there", "A number or SIP address, or a list of up to 8."),
                    .init("alarms.NAME.account", "`calls.account`", "Label of the account for the call."),
                    .init(
                        "alarms.NAME.hours", "none",
                        "Other targets at some hours, as in [`calls.speed_dials`](calls.md)."),
                    .init(
                        "alarms.NAME.wait", "`5 min`",
                        "How long the call may wait for the end of another call, or for its account: `5 s` to `1 h`."),
                    .init(
                        "alarms.NAME.pause", "`5 min`",
                        "The shortest time between two calls of this input, `5 s` to `1 d`."),
                ])
        ],
        details: "")

    /// The section `relays`.
    static let relays = ConfigurationPage(
        name: "relays",
        title: "`relays`: doors, lamps, gates",
        summary: "Which relays of the board can be switched, and by which code and callers.",
        task: """
            Let extensions 200 and 201 open a door with 4 7 1 1 # during a call:
            """,
        example: """
            relays:
              1: {code: "4711#", callers: [200, 201], accounts: [reception], pulse: 5 s}
            """,
        commands: "",
        introduction: """
            The phone rejects a relay that the board does not have. Programs switch a listed relay with
            `offhook ctl relay 1 pulse`, or `on` and `off`.

            A code begins after a `#` or after a pause of 5 s, and ends with its `#`. Three wrong codes lock the
            caller's codes for a minute, the next three for two minutes, and so on up to a day. The lock covers
            all calls and survives restarts. Wrong codes are counted for each relay that the caller may open. A
            correct code forgives three wrong ones, for its own relay only. The phone logs each attempt and
            reports it with the event `codeTried`.

            [Kiosk and door](../kiosk-and-door.md) shows a whole intercom.
            """,
        tables: [
            .init(
                "",
                [
                    .init(
                        "relays.N", "none",
                        """
                        Relay N of the board, 1 to 8. Only relays listed here can be switched. `{}` allows programs \
                        only.
                        """),
                    .init("relays.N.code", "none", "The code that a far end dials: 4 to 15 of `0-9 * A-D`, then `#`."),
                    .init(
                        "relays.N.callers", "required beside a code",
                        "The callers who may dial the code. See [who has rights](calls.md#who-has-rights)."),
                    .init("relays.N.accounts", "all", "Labels of the accounts in whose calls the code works."),
                    .init(
                        "relays.N.directions", "`[incoming]`",
                        "The calls in which the code works: `incoming`, `outgoing` or both."),
                    .init(
                        "relays.N.pulse", "`3 s`",
                        "How long the relay is on after a correct code, `100 ms` to `10 min`."),
                    .init("relays.N.once", "`false`", "The code works once in a call."),
                ])
        ],
        details: "")
}
