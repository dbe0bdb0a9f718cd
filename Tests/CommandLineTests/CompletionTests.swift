import Bench
import Foundation
import Rig
import Testing

@Suite(.serialized) struct CompletionTests {
    private static let shells = ["bash", "zsh", "fish"].filter(Tool.isThere)

    @Test(arguments: shells) func shellReadsItsScript(_ shell: String) throws {
        let workplace = try Workplace()
        let script = try Command(["completion", shell], in: workplace)
        let file = workplace.path + "/script"
        try TextFile.write(script.output, to: file)
        let check = try Command(program: [shell, "-n", file], in: workplace)
        #expect(script.exit == .status(0) && check.exit == .status(0), "\(check)")
        #expect(check.output.isEmpty, "\(check)")
    }

    /// Bash's completions for these words, by the script.
    private func completed(_ words: [String], _ folder: Workplace) throws -> [String] {
        let script = try Command(["completion", "bash"], in: folder)
        let file = folder.path + "/completion.bash"
        try TextFile.write(script.output, to: file)
        let line = words.joined(separator: " ")
        let program = """
            PATH='\((Workplace.phone as NSString).deletingLastPathComponent)':$PATH
            source '\(file)'
            COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=\(words.count - 1) COMP_LINE='\(line)' COMP_POINT=\(line.count) COMP_TYPE=9
            _offhook offhook '\(words.last ?? "")' '\(words.dropLast().last ?? "")'
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try Command(program: ["bash", "-c", program], in: folder).output
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func bashCompletesCommands() throws {
        #expect(try completed(["offhook", "ctl", "toggle"], Workplace()).contains("toggle-hold"))
    }

    /// The scripts ask the program, so a command that it does not offer is completed nowhere.
    @Test func everyCommandIsOffered() throws {
        let workplace = try Workplace()
        for (words, _) in ProgramHelp.all(in: try ProgramHelp.table()) {
            let offered = try Command(["---complete"] + words.dropLast() + [""], in: workplace).output
                .split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(offered.contains { $0 == words.last ?? "" }, "\(words): \(offered)")
        }
    }

    @Test func bashCompletesOptionsChoicesAndFiles() throws {
        let workplace = try Workplace()
        #expect(try completed(["offhook", "trace", "--pc"], workplace) == ["--pcap"])
        #expect(try completed(["offhook", "ctl", "route", "sp"], workplace) == ["speaker"])
        try TextFile.write("", to: workplace.path + "/one.yaml")
        let file = workplace.path + "/one"
        #expect(try completed(["offhook", "config", "check", file], workplace) == [file + ".yaml"])
    }

    @Test func bashAsksTheRunningPhoneForAccounts() throws {
        let phone = try RunningPhone(port: 26_986)
        defer { phone.stop() }
        let words = ["offhook", "ctl", "dial", "--socket", phone.socket, "--account", ""]
        #expect(try completed(words, phone.workplace) == ["office"])
    }

    @Test func withoutPhoneNothingIsCompleted() throws {
        let words = ["offhook", "ctl", "dial", "--socket", "/tmp/no-such-phone", "--account", ""]
        #expect(try completed(words, Workplace()) == [])
    }
}
