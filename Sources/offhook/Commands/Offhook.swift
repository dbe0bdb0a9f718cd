import Base
import Commands
import Glibc
import Platform

@main
enum Offhook {
    static func main() {
        StandardDescriptors.open()
        SoundLibrary.prepare()
        var words = Array(CommandLine.arguments.dropFirst())
        // The former spelling, which packages of others may call.
        if words.first == "--generate-completion-script" { words[0] = "completion" }
        exit(command.perform(words, version: ProgramVersion.text, finish: StandardOutput.flush))
    }

    /// The table of all commands.
    static var command: Command {
        .group(
            "offhook", "A telephone for Linux boards: hook, keys and bell on GPIO, SIP, voice over SRTP.",
            [
                RunCommand.command, SetupCommand.command, DoctorCommand.command, ConfigCommand.command,
                WebCommand.command, CtlCommand.command, LogCommand.command, ReportCommand.command,
                AccountCommand.command,
                VaultCommand.command, BootCommand.command, AudioCommand.command, ReplayCommand.command,
                TraceCommand.command, CtlCommand.signIn,
                RecordingsCommand.command, BoardCommand.command, FactoryResetCommand.command, threads, completion,
            ])
    }

    private static var threads: Command {
        Command("threads", "Show all threads of a phone: task, priority, and what each may wait for.") {
            print(ThreadRole.table.joined(separator: "\n"))
        }
    }

    private static var completion: Command {
        Command(
            "completion", "Print a script that completes offhook's commands in a shell.",
            discussion: """
                bash: offhook completion bash > /usr/share/bash-completion/completions/offhook
                zsh:  offhook completion zsh > /usr/share/zsh/vendor-completions/_offhook
                fish: offhook completion fish > /usr/share/fish/vendor_completions.d/offhook.fish
                """, Parameter.argument("shell", "bash, zsh or fish.", .choice(Completion.Shell.self))
        ) { shell in
            print(Completion.script(for: shell, program: "offhook"))
        }
    }
}

/// A command was understood but could not be carried out. Unlike a `UsageError`, it is shown without usage help.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
