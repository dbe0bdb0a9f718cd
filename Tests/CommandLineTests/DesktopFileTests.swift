import Bench
import Foundation
import Rig
import Testing

/// The handler of `tel:` and `sip:` links.
@Suite struct DesktopFileTests {
    private static let path = Workplace.root + "/docs/integrations/offhook-dial.desktop"

    private static func fields() throws -> [String: String] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "[Desktop Entry]")
        let pairs = lines.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        #expect(pairs.allSatisfy { $0.count == 2 })
        return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    @Test func handlerAcceptsSameLinksAsDial() throws {
        let fields = try Self.fields()
        #expect(fields["Type"] == "Application" && fields["Name"]?.isEmpty == false && fields["Terminal"] == "false")
        let types = fields["MimeType"]?.split(separator: ";").map(String.init) ?? []
        #expect(Set(types) == ["x-scheme-handler/tel", "x-scheme-handler/sip", "x-scheme-handler/sips"])
    }

    /// A desktop's command for a link is understood, and a link is never taken for an option. No phone runs, so nobody
    /// is called.
    @Test(arguments: ["tel:+49-30-1234;ext=5", "sip:100@pbx.example", "--help", "-c"])
    func handlerCommandIsUnderstood(_ link: String) throws {
        let words = try #require(try Self.fields()["Exec"]).split(separator: " ").map(String.init)
        #expect(words.first == "/usr/bin/offhook" && words.last == "%u" && words.count(where: { $0 == "%u" }) == 1)
        #expect(words.dropLast().last == "--")
        let place = try Workplace()
        let run = try Command(
            program: [Workplace.phone] + words.dropFirst().dropLast(2)
                + ["--socket", place.path + "/none", "--", link],
            in: place)
        #expect(run.exit == .status(1) && !run.output.contains("USAGE"), "\(link): \(run)")
    }

    @Test(.enabled(if: Tool.isThere("desktop-file-validate"), "Scripts/setup test installs desktop-file-utils"))
    func desktopFileIsValid() throws {
        let check = try Command(program: ["desktop-file-validate", Self.path], in: try Workplace())
        #expect(check.exit == .status(0) && check.output.isEmpty, "\(check)")
    }
}
