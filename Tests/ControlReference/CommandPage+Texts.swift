extension CommandPage {
    static let opening = """
        <!-- Written by offhook-reference from the program's own help. Do not edit. -->

        # Commands

        Look at a running phone, call a number, and check the machine:

        ```
        offhook ctl status
        offhook ctl dial 102
        offhook doctor
        ```

        `offhook COMMAND --help` prints the same texts as this page. Run the commands as root or as the
        phone's own user, for example `runuser -u offhook -- offhook account list`.

        ## Common options

        - `-c`, `--config FILE`: the phone's configuration. Default: `/etc/offhook/offhook.yaml`. The
          command finds the vault and the control socket there.
        - `--socket PATH`: the phone's control socket, instead of the one in the configuration.
        - `--json`: print the phone's answer as JSON.

        ## Exit codes

        | code | meaning |
        |---|---|
        | 0 | Done. |
        | 1 | Not done: no phone runs, it refused, a file is wrong, or a check found a fault. |
        | 64 | The command line is wrong. |
        | 128 + n | Signal n ended the command. |

        """

    /// Command lines to copy, by command.
    public static let examples: [String: String] = [
        "offhook run": "offhook run --config phone/offhook.yaml --record events.jsonl",
        "offhook setup": "offhook setup --answers answers.yaml --yes",
        "offhook doctor": "offhook doctor --offline",
        "offhook ctl dial": "offhook ctl dial 'tel:+49-30-1234' --account office",
        "offhook ctl dtmf": "offhook ctl dtmf 1,,23#",
        "offhook ctl transfer": """
        offhook ctl transfer 102
        offhook ctl transfer --call out-1 --to-call out-2
        """,
        "offhook ctl park": "offhook ctl park 701",
        "offhook ctl pickup": "offhook ctl pickup 102",
        "offhook ctl words": "offhook ctl words agree",
        "offhook ctl play": "offhook ctl play menu/hello.wav",
        "offhook ctl page start": "offhook ctl page start 2",
        "offhook ctl volume": "offhook ctl volume ring 8",
        "offhook ctl dnd": "offhook ctl dnd on",
        "offhook ctl relay": "offhook ctl relay 1 pulse",
        "offhook ctl history": "offhook ctl history --missed --account office",
        "offhook ctl contacts add": "offhook ctl contacts add 102 Anna",
        "offhook ctl contacts change": "offhook ctl contacts change 102 --new-number 103",
        "offhook ctl contacts import": "offhook ctl contacts import contacts.vcf",
        "offhook ctl contacts export": "offhook ctl contacts export > contacts.vcf",
        "offhook ctl token add": "offhook ctl token add kitchen --scope call",
        "offhook ctl press": "offhook ctl press 1",
        "offhook ctl call": "offhook ctl call setHold on=true call=out-3",
        "offhook account add": """
        offhook account add office --user 101 --server pbx.example.org --transport tls
        offhook account add desk --kind telnyx --token-file token
        """,
        "offhook account change": "offhook account change office --new-label hall --ask-password",
        "offhook ctl account add": """
        offhook ctl account add office --user 101 --server pbx.example.org --transport tls
        offhook ctl account add desk --kind telnyx --token-file token
        """,
        "offhook ctl account change": "offhook ctl account change office --display-name 'Front desk'",
        "offhook account forget-trust": """
        systemctl stop offhook
        runuser -u offhook -- offhook account forget-trust office
        systemctl start offhook
        """,
        "offhook vault init": "runuser -u offhook -- offhook vault init --key file",
        "offhook vault seal": """
        offhook vault seal
        systemctl restart offhook
        """,
        "offhook audio test": "offhook audio test --route speaker --seconds 5",
        "offhook replay": "offhook replay events.jsonl",
        "offhook trace": "offhook trace --pcap calls.pcap --no-follow",
        "offhook recordings export": "offhook recordings export 20261122-010203-in-1.7.opus.sealed",
        "offhook board check": "offhook board check /etc/offhook/board.yaml",
        "offhook board learn": "offhook board learn --lines 5-27",
    ]
}
