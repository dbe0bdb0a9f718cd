extension ConfigurationPage {
    /// The first page: the configuration file itself.
    static let index = ConfigurationPage(
        name: "README",
        title: "Configuration",
        summary: "",
        task: """
            Write the smallest configuration, a telephone without hardware, and start it:
            """,
        example: """
            board: /usr/share/offhook/board/simulator.yaml
            sound:
              handset: {capture: "null", playback: "null"}
            """,
        commands: """
            offhook run --config offhook.yaml
            """,
        introduction: """
            The service's file is `/etc/offhook/offhook.yaml`; `offhook setup` asks questions and writes this
            file. Check it after a change with `offhook config check`, then `systemctl reload offhook`.
            [Operations](../operations.md#change-the-configuration) says which keys need a restart. Only
            `board` and `sound` are required; all other keys have defaults.
            """,
        tables: [
            .init(
                "",
                [
                    .init(
                        "board", "required",
                        "The path of the [board file](board-file.md): the lines of hook, keys and lamps."),
                    .init(
                        "log", "`info`",
                        "What the phone logs to standard error: `debug`, `info`, `warning` or `error`."),
                ])
        ],
        details: """
            <!-- pages -->

            ## How values are written

            Paths may be relative; they then start at the folder of the configuration file. Durations are a
            whole number and a unit: `20 ms`, `4 s`, `2 min`, `1 h`, `1 d`. Put values that begin with `*` or
            `#` into quotes. Accounts are named by their labels. “By an account's label” in the tables means a
            mapping whose keys are labels. The file is one YAML document without anchors and tags.

            ## Mistakes

            An unknown key or an unsuitable value stops the start. The message names file, line, column, the
            key's path, and the expected value:

            ```
            offhook.yaml:5:17: calls.ring_timeout: expected a duration from 5 s to 5 min, found "fast"
            ```

            `offhook config check` lists all mistakes without starting the phone. `offhook doctor` also checks
            the rest of the machine.

            Some faults do not stop the start, because calls work without these parts:

            - an HTTP port that is in use;
            - a certificate that does not fit its key, or a key that others can read;
            - a missing file of `sip.tls.authorities`;
            - a missing folder of `control.socket` or of `offhook run --record`.

            The phone logs such a fault and tries again every few seconds. The fault is on the display, in
            `faults` of `getSnapshot`, and in `offhook ctl status`. An account that needs the missing
            authorities is not registered until they are there.
            """)

    /// The section `vault`.
    static let vault = ConfigurationPage(
        name: "vault",
        title: "`vault`: accounts and history, encrypted",
        summary: "The encrypted file of accounts, contacts and history, and its key.",
        task: """
            Keep the vault beside the configuration, for a phone that you run in your own folder:
            """,
        example: """
            vault:
              file: vault
              key: vault.key
            """,
        commands: "",
        introduction: """
            The place of the key decides who can read the vault. [Security for owners](../security.md) compares
            a key file, a sealed key and a passphrase.

            The packaged service can write only below `/var/lib/offhook`.

            `offhook vault init` makes the vault and its key. Accounts are in the vault, not in this file:
            [accounts](accounts.md) shows how to add one. `offhook vault check` verifies every byte.
            """,
        tables: [
            .init(
                "",
                [
                    .init("vault.file", "`/var/lib/offhook/vault`", "The encrypted file."),
                    .init(
                        "vault.key", "`/var/lib/offhook/vault.key`",
                        """
                        The file of its key. A passphrase may lock it. The systemd credential `offhook-vault-key` \
                        takes precedence.
                        """),
                ])
        ],
        details: "")

    /// The section `control`.
    static let control = ConfigurationPage(
        name: "control",
        title: "`control`: the interface for programs, and the page",
        summary: "The control socket, and the same interface over HTTP with the page.",
        task: """
            Show the phone's page to browsers on your network, over HTTPS:
            """,
        example: """
            control:
              http:
                address: 192.0.2.10
                certificate: phone.crt
                key: phone.key
                hosts: [phone.example.org]
            """,
        commands: "",
        introduction: """
            A request for any other host name is rejected with 421. Everything but the page itself needs a
            token: `offhook ctl token add LABEL --scope call` makes one. [The page](../page.md) shows what a
            browser can do, and [the interface](../../control.md) lists all methods and events.
            """,
        tables: [
            .init(
                "",
                [
                    .init(
                        "control.socket", "`/run/offhook/control.sock`",
                        "The JSON-RPC socket. The phone's own user and root may use it."),
                    .init(
                        "control.http", "none",
                        "The same interface over HTTP, and the page. Without this section no port is open."),
                    .init(
                        "control.http.address", "`127.0.0.1`",
                        "A numeric address. Without a certificate only `127.0.0.1` or `::1` is accepted."),
                    .init("control.http.port", "`8088`", "The TCP port."),
                    .init("control.http.certificate", "none", "A PEM file. Together with `key` it makes HTTPS."),
                    .init("control.http.key", "none", "A PEM file that only the phone's user or its group can read."),
                    .init(
                        "control.http.hosts", "none",
                        """
                        1 to 16 further host names of this phone for browsers. Its address and `localhost` are \
                        always accepted.
                        """),
                ])
        ],
        details: "")

    /// The section `on_event`.
    static let onEvent = ConfigurationPage(
        name: "on_event",
        title: "`on_event`: programs that run on events",
        summary: "Programs that the phone starts when something happens.",
        task: """
            Run a program when a call arrives or ends:
            """,
        example: """
            on_event:
              - events: [incomingCall, callEnded]
                run: [/usr/local/bin/lamp, kitchen]
                timeout: 10 s
            """,
        commands: "",
        introduction: """
            The program reads the event from its standard input, as one line of JSON. [Other programs of the
            machine](../home-assistant.md#programs-that-the-phone-starts) has the details and an example.
            """,
        tables: [
            .init(
                "",
                [
                    .init("on_event", "none", "A list of up to 16 programs."),
                    .init(
                        "on_event[].events", "required there",
                        "Names of [events](../../control.md#events), except `clientReady` and `reset`."),
                    .init(
                        "on_event[].run", "required there",
                        "The program's absolute path and its arguments, as a list. No shell reads it."),
                    .init(
                        "on_event[].timeout", "`5 s`",
                        "How long the program may run before it is killed, `100 ms` to `1 min`."),
                ])
        ],
        details: "")
}
