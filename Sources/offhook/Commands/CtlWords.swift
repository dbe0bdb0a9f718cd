import ArgumentParser
import Control
import JSON

extension CtlCommand {
    struct Words: ParsableCommand {
        enum Verdict: String, ExpressibleByArgument, CaseIterable { case agree, differ }

        static let configuration = CommandConfiguration(
            commandName: "words",
            abstract: "Confirm or deny that both ends of a call show the same four words (SAS).",
            discussion:
                "`offhook ctl status` shows the words. After agree, the phone remembers the far end's key and "
                + "verifies later calls by it."
        )
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "agree if the far end reads the same words, otherwise differ.") var verdict: Verdict
        func run() throws { try phone.ask("compareWords", which.params(and: ["agree": .bool(verdict == .agree)])) }
    }
}
