import Foundation
import Testing

/// What real servers said on the wire, played again without them.
@Suite struct DialogueTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Corpus/dialogues")

    private static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".txt") }
        .sorted()

    @Test(arguments: names) func phoneActsAsInTheRecordedDialogue(name: String) throws {
        var dialogue = Dialogue(try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8))
        try dialogue.play()
    }

    @Test func folderHasDialogues() { #expect(Self.names.count >= 10) }

    @Test func dialogueThatDiffersFails() {
        for text in ["account 101\nphone INVITE\n", "account 101\nphone REGISTER\n    X-None: 1\n", "account 101\n"] {
            var dialogue = Dialogue(text)
            #expect(throws: Dialogue.Failure.self) { try dialogue.play() }
        }
    }
}
