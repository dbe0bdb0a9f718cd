import BoardReference
import Foundation
import FoundationXML
import Panel
import Testing

@Suite("Generated board page and drawings")
struct BoardReferenceTests {
    private static let boards: [(file: String, board: Board)] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: Boards.folder)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { file in
            (try? Board.load(path: "\(Boards.folder)/\(file)")).map { (String(file.dropLast(5)), $0) }
        }
    }()

    private static let docs = Boards.folder.replacingOccurrences(of: "/board", with: "/docs", options: .backwards)

    @Test("swift run -c release offhook-reference writes docs/boards.md and its drawings")
    func boardPagesAreUpToDate() throws {
        #expect(Self.boards.count > 5)
        #expect(
            try String(contentsOfFile: Self.docs + "/boards.md", encoding: .utf8) == BoardReference.page(Self.boards))
        for entry in Self.boards {
            let drawing = try String(contentsOfFile: "\(Self.docs)/images/boards/\(entry.file).svg", encoding: .utf8)
            #expect(drawing == BoardReference.drawing(of: entry.board), "\(entry.file)")
        }
    }

    @Test("every line of a header board has its pin, and none is used twice")
    func everyLineOfHeaderBoardHasItsPinAndNoneIsUsedTwice() throws {
        for entry in Self.boards where entry.board.panel.backend == .gpiod && entry.file != "virtual-board" {
            let rows = BoardReference.page([entry]).split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
            let pins = rows.map { $0.split(separator: "|", omittingEmptySubsequences: false)[3] }
            #expect(pins.allSatisfy { !$0.allSatisfy(\.isWhitespace) }, "\(entry.file)")
            #expect(Set(pins).count == pins.count, "\(entry.file)")
        }
    }

    /// A drawing is a separate document, and opens in a browser.
    @Test("drawings are valid XML for any board name")
    func drawingsAreValidXMLForAnyBoardName() throws {
        let board = try Boards.board("  backend: simulated\n  chip: c\n  hook: {line: \"<a>&b\"}")
        for drawing in [BoardReference.drawing(of: board)] + Self.boards.map({ BoardReference.drawing(of: $0.board) }) {
            let parser = XMLParser(data: Data(drawing.utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
        }
    }
}
