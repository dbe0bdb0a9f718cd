import ControlReference
import Foundation
import Rig
import Testing

@Suite struct ManualTests {
    private static let folder = Workplace.root + "/docs/man/"

    @Test("swift run -c release offhook-reference writes docs/man, after offhook was built")
    func manualPagesAreUpToDate() throws {
        let pages = ManualPage.all(of: try ProgramHelp.table())
        #expect(Set(pages.map(\.file)) == ["offhook.1", "offhook-ctl.1", "offhook-setup.1"])
        for page in pages {
            #expect(try String(contentsOfFile: Self.folder + page.file, encoding: .utf8) == page.text, "\(page.file)")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(files) == Set(pages.map(\.file)))
    }

    @Test("swift run -c release offhook-reference writes docs/user/commands.md, after offhook was built")
    func commandPageIsUpToDate() throws {
        let page = CommandPage.text(of: try ProgramHelp.table())
        #expect(try String(contentsOfFile: Workplace.root + "/docs/user/commands.md", encoding: .utf8) == page)
    }

    @Test func everyExampleCallsItsCommand() throws {
        var seen = 0
        for (words, command) in ProgramHelp.all(in: try ProgramHelp.table()) {
            guard let example = command["example"]?.string, !example.isEmpty else { continue }
            seen += 1
            #expect(example.contains("offhook \(words.joined(separator: " "))"), "\(words): \(example)")
        }
        #expect(seen > 30)
    }

    @Test(.enabled(if: Tool.isThere("mandoc"), "Scripts/setup test installs mandoc"))
    func mandocFindsNoFault() throws {
        let workplace = try Workplace()
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
            let check = try Command(
                program: ["mandoc", "-T", "lint", "-W", "warning", Self.folder + name], in: workplace)
            #expect(check.exit == .status(0) && check.output.isEmpty, "\(check)")
        }
    }
}

enum Tool {
    static func isThere(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + name)
        }
    }
}
