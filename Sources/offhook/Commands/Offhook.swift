import ArgumentParser
import Base

@main
struct Offhook: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offhook",
        abstract: "A telephone for Linux boards: hook, keys and bell on GPIO, SIP, voice over SRTP.",
        version: ProgramVersion.text,
        subcommands: [
            RunCommand.self, SetupCommand.self, DoctorCommand.self, ConfigCommand.self, CtlCommand.self,
            AccountCommand.self,
            VaultCommand.self, BootCommand.self, AudioCommand.self, ReplayCommand.self, TraceCommand.self,
            CtlCommand.SignIn.self, RecordingsCommand.self, BoardCommand.self, ThreadsCommand.self,
            CompletionCommand.self,
        ])

    static func main() {
        StandardDescriptors.open()
        SoundLibrary.prepare()
        do {
            if let unknown = UnknownCommand.find(in: CommandLine.arguments.dropFirst()) {
                throw ValidationError("\(unknown)")
            }
            var command = try parseAsRoot()
            try command.run()
            try StandardOutput.flush()
        } catch {
            exit(withError: error)
        }
    }
}
