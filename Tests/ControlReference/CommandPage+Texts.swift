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
}
