import ArgumentParser
import YAML

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Ask questions, and set up sound, panel, vault and account.",
        discussion: """
            Can be run again at any time, because it reads the present state from the files. It shows all changes and \
            asks before writing. `offhook doctor` checks everything later.
            """)

    @OptionGroup var phone: ConfigurationOption
    @Option(help: "Take the answers from this YAML file instead of asking (docs/user/getting-started.md).")
    var answers: String?
    @Flag(help: "With --answers: write without asking.") var yes = false
    @OptionGroup var sealing: SealingOptions

    func validate() throws {
        guard answers != nil || !yes else { throw ValidationError("--yes needs --answers") }
    }

    func run() throws {
        _ = PrivateMemory.hide()
        let found = try SetupInspection.findings(phone.config, credential: sealing.credential)
        if let answers {
            let file: SetupAnswers = try YAMLDocument(path: answers).read()
            let wanted = try file.beside(found) { print($0) }
            let interview = try SetupInterview(
                found, given: wanted.beyondQuestions(), wanted: Set(wanted.answers.keys), untried: wanted.untried)
            var run = SetupRun(interview, asker: SetupFile(answers: wanted, writes: yes), sealing: sealing)
            try run.run()
        } else {
            var run = SetupRun(SetupInterview(found), asker: try SetupTerminal(), sealing: sealing)
            try run.run()
        }
    }
}
