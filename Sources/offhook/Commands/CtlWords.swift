import ArgumentParser
import Control
import JSON

extension CtlCommand {
    struct Words: ParsableCommand {
        enum Verdict: String, ExpressibleByArgument, CaseIterable { case agree, differ }

        static let configuration = CommandConfiguration(
            commandName: "words",
            abstract: "Say whether the four words (SAS) that status shows of a call are those that the far end reads.",
            discussion: "Where they agree, the far end's key is remembered, and later calls with it are verified.")
        @OptionGroup var phone: AskedPhone
        @OptionGroup var which: WhichCall
        @Argument(help: "agree or differ.") var verdict: Verdict
        func run() throws { try phone.ask("compareWords", which.params(and: ["agree": .bool(verdict == .agree)])) }
    }
}
