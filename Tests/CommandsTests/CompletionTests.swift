import Commands
import Testing

/// What the program offers to a shell.
@Suite struct CompletionTests {
    private let phone = Telephone()

    @Test func commandsAreOfferedWithTheirPurpose() {
        #expect(phone.offered("") == ["run\tRun the phone.", "ctl\tThe group ctl.", "vault\tThe group vault."])
        #expect(phone.offered("ctl", "d") == ["dial\tCall a number."])
        #expect(phone.offered("ctl", "missed", "").map { $0.prefix { $0 != "\t" } } == ["list", "clear"])
        #expect(phone.offered("levitate", "").isEmpty)
    }

    @Test func optionsAreOffered() {
        #expect(phone.offered("ctl", "dial", "--fo") == ["--follow\tFollow it."])
        #expect(phone.offered("ctl", "dial", "--no") == ["--no-follow\tFollow it."])
        #expect(phone.offered("ctl", "missed", "--j") == ["--json\tPrint JSON."])
        #expect(phone.offered("ctl", "dial", "--", "--fo").isEmpty)
    }

    @Test func valuesAreOffered() {
        #expect(phone.offered("ctl", "dial", "--route", "") == ["handset", "speaker"])
        #expect(phone.offered("ctl", "dial", "--route", "s") == ["speaker"])
        #expect(phone.offered("ctl", "dial", "--tries", "").isEmpty)
        #expect(phone.offered("run", "--config", "") == [":files yaml"])
    }

    @Test func argumentsAreCountedPastOptions() {
        #expect(phone.offered("ctl", "dial", "10") == ["101", "102"])
        #expect(phone.offered("ctl", "dial", "--route", "speaker", "--json", "10") == ["101", "102"])
        #expect(phone.offered("ctl", "dial", "101", "").isEmpty)
    }

    /// So that it can find the phone to ask.
    @Test func askedValueGetsAllWords() {
        #expect(phone.offered("ctl", "dial", "").contains("3"))
    }

    @Test(arguments: Completion.Shell.allCases) func scriptAsksTheProgram(_ shell: Completion.Shell) {
        let script = Completion.script(for: shell, program: "phone")
        #expect(script.contains("---complete") && script.contains("_phone"))
    }
}
