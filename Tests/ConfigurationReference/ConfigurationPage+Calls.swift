extension ConfigurationPage {
    /// The section `calls`.
    static let calls = ConfigurationPage(
        name: "calls",
        title: "`calls`: calls, dialling, ringing",
        summary:
            "Limits and times, dialling, keys, transfers, recording, ringing, blocked callers and automatic answers.",
        task: """
            Give the phone two accounts, a speed dial and a voicemail key:
            """,
        example: """
            calls:
              account: office
              dial_plan: DE
              line_keys: [office, private]
              speed_dials:
                1: "0301234567"
                2: {targets: [200, 201], account: office, watch: phone}
              voicemail: {office: "*97"}
              blocked: ["+1 212 555 0123", withheld]
            """,
        commands: "",
        introduction: "",
        tables: [
            .init(
                "Limits and times",
                [
                    .init("calls.maximum", "`2`", "Calls that may exist at once, 1 to 8."),
                    .init("calls.maximum_length", "none", "The longest a call may last, `10 s` to `1 d`."),
                    .init("calls.ring_timeout", "`30 s`", "How long a call rings here, `5 s` to `5 min`."),
                    .init("calls.dial_timeout", "`3 min`", "How long an outgoing call may ring, `5 s` to `10 min`."),
                ]),
            .init(
                "Dialling",
                [
                    .init("calls.account", "the first", "Label of the account for dialled digits."),
                    .init(
                        "calls.dial_plan", "`open`",
                        """
                        When a typed number is complete: `US`, `GB`, `DE`, `office`, `open`, or a list of patterns. \
                        See [dial plans](../dial-plan.md).
                        """),
                    .init(
                        "calls.emergency", "the plan's",
                        "1 to 16 numbers that are dialled at once. A list of patterns has `112` and `911`."),
                    .init(
                        "calls.short_numbers", "none",
                        "Up to 32 numbers that may be dialled although they have only one or two digits."),
                    .init("calls.line_keys", "none", "Labels of the accounts of the line keys, in order, at most 8."),
                    .init("calls.voicemail", "none", "By an account's label: the number of its voicemail."),
                    .init(
                        "calls.pickup_codes", "none",
                        """
                        By an account's label: the code that is dialled before a number to pick up the call that \
                        rings there.
                        """),
                    .init(
                        "calls.dtmf", "`automatic`",
                        """
                        How digits are sent: `events` (RFC 4733), `info` (SIP INFO), `in-band` (as sound), or \
                        `automatic`.
                        """),
                ]),
            .init(
                "Speed dials",
                [
                    .init(
                        "calls.speed_dials.N", "none",
                        """
                        Key N, 1 to 16: a target, a list of targets that are tried in turn, or a mapping with the \
                        keys below.
                        """),
                    .init(
                        "calls.speed_dials.N.targets", "required there",
                        "A number or SIP address, or a list of up to 8. They apply outside `hours`."),
                    .init("calls.speed_dials.N.account", "`calls.account`", "Label of the account for the call."),
                    .init(
                        "calls.speed_dials.N.watch", "none",
                        """
                        `phone` or `orbit`: the lamp `speed-N` shows the state of the first target at the server \
                        (busy lamp field, RFC 4235).
                        """),
                    .init(
                        "calls.speed_dials.N.hours", "none",
                        "Up to 16 entries with other targets. The first entry that contains the local time applies."),
                    .init(
                        "calls.speed_dials.N.hours[].days", "every day",
                        "The days on which the hours start, as `[mon, fri]`: `mon` to `sun`."),
                    .init("calls.speed_dials.N.hours[].from", "required there", "Start, as `08:30`."),
                    .init(
                        "calls.speed_dials.N.hours[].to", "required there",
                        "End. If it is not later than `from`, the hours pass midnight."),
                    .init("calls.speed_dials.N.hours[].targets", "required there", "The targets in these hours."),
                ]),
            .init(
                "Transfers and conferences",
                [
                    .init(
                        "calls.follow_transfers", "`false`",
                        "A far end may ask this phone to call another number, if a person agrees. See below."),
                    .init(
                        "calls.transfer_targets", "none",
                        "1 to 64 [patterns](../dial-plan.md#patterns): numbers for which no person is asked."),
                    .init(
                        "calls.conference", "`true`",
                        "A person may join two calls with the `conference` key or `offhook ctl conference`."),
                ]),
            .init(
                "History and organizations",
                [
                    .init(
                        "calls.history", "`true`",
                        "`false`: the vault keeps no history of calls, and forgets the one that it has."),
                    .init(
                        "calls.organizations", "none",
                        """
                        By an account's label: the identifier of the organization that it serves. Caller info of this \
                        organization rings for this account.
                        """),
                    .init(
                        "calls.organization_keys.N", "none",
                        """
                        Speed-dial key N, 1 to 16: the identifier of the organization to which it switches the phone. \
                        See [organization keys](#organization-keys).
                        """),
                ]),
            .init(
                "Recording and playing",
                [
                    .init(
                        "calls.recording.folder", "required there",
                        """
                        The folder of recorded calls; the phone makes it. Without `calls.recording` no call can be \
                        recorded.
                        """),
                    .init(
                        "calls.recording.sealed", "`true`",
                        """
                        Only the vault's key opens recordings, with `offhook recordings export`. `false`: they are \
                        ordinary sound files.
                        """),
                    .init(
                        "calls.recording.format", "`opus`",
                        "`opus`: Opus in Ogg, some 20 MB an hour. `wav`: 16 bits at 48 kHz, 691 MB an hour."),
                    .init(
                        "calls.recording.beep", "on",
                        "The tone that tells both ends of the recording: `off`, or a mapping with the next two keys."),
                    .init(
                        "calls.recording.beep.period", "`15 s`",
                        "The time from one beep to the next, `2 s` to `5 min`."),
                    .init("calls.recording.beep.pitch", "`1400`", "The tone's frequency in Hz, 300 to 3400."),
                    .init("calls.recording.longest", "`2 h`", "Longest recording, `1 min` to `6 h`. Then it ends."),
                    .init(
                        "calls.playing.folder", "required there",
                        """
                        The folder of the WAVE files that may be played into calls. Without `calls.playing` none can \
                        be played.
                        """),
                ]),
            .init(
                "Ringing and refusing",
                [
                    .init(
                        "calls.announce", "`both`",
                        """
                        What announces an incoming call: the `panel`, the `interface` (a program's screen rings), or \
                        `both`.
                        """),
                    .init(
                        "calls.rings", "none",
                        "By a ring's name: sound and pause in turn, 2 to 16 durations of `20 ms` to `1 min`."),
                    .init(
                        "calls.account_rings", "none", "By an account's label: the name of its ring in `calls.rings`."),
                    .init(
                        "calls.decline_as", "`declined`",
                        "SIP status sent when a person declines a call: `busy` (486) or `declined` (603)."),
                    .init(
                        "calls.blocked", "none",
                        """
                        Numbers or names of callers that are rejected. `withheld` stands for callers without a \
                        number.
                        """),
                ]),
            .init(
                "Automatic answers",
                [
                    .init(
                        "calls.auto_answer.callers", "required there",
                        "Callers whose calls are answered without a person. See [who has rights](#who-has-rights)."),
                    .init(
                        "calls.auto_answer.only_when_asked", "`true`",
                        "Only calls whose caller asks for an automatic answer."),
                    .init("calls.auto_answer.route", "`speaker`", "The route of such a call. It needs a device."),
                ]),
        ],
        details: """
            ## Quotes

            Put values that begin with `*` or `#` into quotes.

            ## Watched numbers

            With `watch: phone` the key of a ringing phone picks its call up. An orbit is a place at the server
            where a call is parked. With `watch: orbit` the key parks the call if the orbit is empty, and takes
            back the parked call if it is full.

            Without a pickup code the phone asks the caller to replace the call (`Replaces`), or calls the code
            that FreeSWITCH names. If the server gives neither the call to replace nor a code, the phone reports
            that.

            ## Organization keys

            A person who belongs to several organizations switches between them by a key:

            ```yaml
            calls:
              organization_keys: {3: "17", 4: org_nord}
            ```

            `offhook ctl organization` lists the identifiers. The key does what `offhook ctl organization
            switch` does, with the same rules: the phone must be signed in at its `backend`, and have no
            call. If a switch is refused or fails, the phone stays with the former organization. The page and
            the log say why. The lamp `speed-N` is on while the phone works for the organization, and blinks
            during the switch. The page shows the organization's name on the key as soon as the phone knows
            it. A key cannot also be a speed dial.

            ## Digits

            With `events`, `info` or `in-band`, the phone sends digits only by that method. `automatic` uses
            events where both ends agreed on them, otherwise INFO. If the far end rejects INFO, the phone sends
            the digits as sound.

            ## Transfers that a far end asks for

            With `follow_transfers: true` a far end can ask the phone to call another number, at the account's
            cost. It does so by a transfer (REFER), or by redirecting an outgoing call (3xx). The rules:

            - The target must be in the account's own domain. On the direct line it must be a peer.
            - The phone never follows in a call that it answered automatically.
            - A person must agree within 20 s, with the `transfer` key or `offhook ctl accept-transfer`. Until
              then the `line` lamp blinks fast and the call waiting tone sounds.
            - For numbers in `transfer_targets` no person is asked.

            ## Recordings and files

            [Recordings](../../control.md#recordings) and [files into calls](../../control.md#files-into-calls)
            describe the files, and when a recording or a playback ends.

            ## Declined calls

            Asterisk treats 603 (`declined`) as *unavailable*; set `decline_as: busy` there.

            ## Blocked callers

            The phone compares the last ten digits, so `+1 212 555 0123` and `2125550123` are the same caller.
            Blocking also matches unverified numbers, because it grants no rights.

            ## Automatic answers

            In a call that was answered automatically, the phone sends nothing before the caller's ACK arrives.

            ## Who has rights

            Two keys grant rights: `calls.auto_answer.callers` and `relays.N.callers`. They count only for a
            caller whose number a trusted source confirms, not for a number that the caller wrote. Numbers are
            compared as a whole, as the server writes them; separators do not matter.

            | entry | caller |
            |---|---|
            | `200` | 200 in the account's own domain, or under another name of the server. An outside number that is or ends with 200 does not match. |
            | `200@other.example` | 200 in that domain |
            | `192.0.2.7` | on the direct line: any caller at this address |
            | `door@192.0.2.7` | on the direct line: a caller with this name at this address |

            The account's own server confirms the number with `P-Asserted-Identity` or a screened
            `Remote-Party-ID`; on Asterisk set `send_pai=yes`. Some servers send neither and write `From`
            themselves, as a FRITZ!Box does. List such an account in `sip.trust_from`. Do not list an account
            whose server passes on what callers write.

            A Verto server gives each caller's number, but that number may come from the caller. List the
            account in `sip.trust_from` if the server writes the number itself. FreeSWITCH can also confirm the
            number for a single call, in its dialplan:

            ```
            export nolocal:verto_h_P-Asserted-Identity=<sip:200@DOMAIN>
            ```

            `verto_h_Alert-Info` names a ring and asks for an automatic answer, as `Alert-Info` does over SIP.

            A server can report during a call that the far end is now another party. The first party's rights
            end then and do not come back in this call; the new party gains none. A call that was answered
            automatically continues.
            """)
}
