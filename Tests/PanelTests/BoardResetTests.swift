import Panel
import Testing

@Suite("Switching a board's outputs off")
struct BoardResetTests {
    private static let text = """
          backend: gpiod
          chip: one
          hook: {line: 0}
          keypad: {rows: [1], columns: [2], keys: [[1]]}
          lamps: {message: {line: 3}}
          ringer: {line: 4}
          relays: [{line: 5}, {line: 6, chip: two}]
        """

    @Test("relays are switched off first, then the other outputs, and no input is touched")
    func relaysAreSwitchedOffFirstThenOtherOutputs() throws {
        var taken: [String] = []
        let failures = PanelPlan(try Boards.board(Self.text).panel).switchOff { line in taken.append(line.key) }
        #expect(failures.isEmpty)
        #expect(
            taken == [
                "panel.relays[1]", "panel.relays[2]", "panel.lamps.message", "panel.ringer", "panel.keypad.rows[1]",
            ])
    }

    @Test("a missing chip does not keep another chip's lines on")
    func missingChipDoesNotKeepAnotherChipLinesOn() throws {
        var taken: [String] = []
        let failures = PanelPlan(try Boards.board(Self.text).panel).switchOff { line throws(PanelError) in
            guard line.address.chip == "two" else {
                throw .chipNotFound(key: line.key, chip: line.address.chip, present: ["two"])
            }
            taken.append(line.key)
        }
        #expect(taken == ["panel.relays[2]"] && failures.count == 4, "\(failures)")
    }
}
