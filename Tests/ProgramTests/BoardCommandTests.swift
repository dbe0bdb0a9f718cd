import Bench
import Foundation
import Rig
import Testing

/// `offhook board` on a machine without the lines; with them it is in `Scripts/board-vm`.
@Suite struct BoardCommandTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func checked(_ text: String) throws -> Command {
        let file = workplace.path + "/board.yaml"
        try TextFile.write(text, to: file)
        return try Command(["board", "check", file], in: workplace)
    }

    @Test func everyBoardOfTheProjectIsReadAndSaysWhatIsMissing() throws {
        let folder = Workplace.root + "/board"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let command = try Command(["board", "check", "\(folder)/\(name)"], in: workplace)
            let isSimulated = name == "simulator.yaml"
            #expect(command.exit == .status(isSimulated ? 0 : 1), "\(name): \(command.output)")
            #expect(command.output.contains(isSimulated ? "a simulated panel" : "panel."), "\(name): \(command.output)")
        }
    }

    @Test(arguments: [
        (
            "name: A\npanel:\n  backend: gpiod\n  chip: none-here\n  hook: {line: A, polarity: sideways}\n",
            "board.yaml:5:29: panel.hook.polarity: expected active-high or active-low"
        ),
        ("name: A\npanel:\n  backend: gpiod\n  chip: none-here\n  hook: {line: A}\n", "chip \"none-here\" not found"),
        (
            "name: A\npanel:\n  backend: gpiod\n  chip: a\n  hook: {line: A}\n  ringer: {line: A}\n",
            "serves both panel.hook and panel.ringer"
        ),
    ])
    func aMistakeIsToldWithItsPlace(text: String, words: String) throws {
        let command = try checked(text)
        #expect(command.exit == .status(1) && command.output.contains(words), "\(command.output)")
    }

    @Test func whatCannotBeWatchedIsRefused() throws {
        let simulated = try Command(["board", "watch", Workplace.root + "/board/simulator.yaml"], in: workplace)
        #expect(simulated.exit == .status(1) && simulated.output.contains("a simulated panel"), "\(simulated.output)")
        let missing = try Command(["board", "watch", "/nowhere/board.yaml"], in: workplace)
        #expect(missing.exit == .status(1) && missing.output.contains("/nowhere/board.yaml"), "\(missing.output)")
    }

    @Test func listSaysWhenThereIsNothing() throws {
        let command = try Command(["board", "list"], in: workplace)
        let hasChips = FileManager.default.fileExists(atPath: "/dev/gpiochip0")
        #expect(command.exit == .status(0) && command.output.contains("no GPIO chip") != hasChips, "\(command.output)")
    }
}
