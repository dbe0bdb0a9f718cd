import Base
import Panel
import PhoneCore
import Testing

@Suite("Tally of contact movements, in simulated time")
struct ContactTallyTests {
    private static func board() throws -> Board {
        try Boards.board(
            """
              backend: simulated
              chip: c
              hook: {line: 0}
              keypad: {rows: [1], columns: [2], keys: [["#"]]}
              dial: {pulse: {line: 3}, off_normal: {line: 4}}
              encoder: {a: {line: 5}, b: {line: 6}}
              buttons: {hold: {line: 7}, mute: {line: 8, debounce: 50 ms}}
              inputs: {tamper: {line: 9}}
            """)
    }

    /// Lines of the plan, in its order.
    private enum Line {
        static let (hook, column, pulse, offNormal, knobA, knobB, hold, mute) = (0, 2, 3, 4, 5, 6, 7, 8)
    }

    /// A line moves at these times, in microseconds, and is active after the first.
    private func edges(_ line: Int, _ times: [Int64]) -> [LineEdge] {
        times.enumerated().map { index, time in
            LineEdge(line: line, active: index.isMultiple(of: 2), at: Instant(nanoseconds: time * 1_000))
        }
    }

    private func figures(_ tally: ContactTally, _ name: String) -> ContactTally.Figures? {
        tally.figures.first { $0.name == name }?.figures
    }

    @Test("two contacts that move together are counted separately")
    func twoContactsThatMoveTogetherAreCountedSeparately() throws {
        var tally = ContactTally(try Self.board())
        let moves = edges(Line.hook, [0, 400, 1_200, 1_500, 4_000]) + edges(Line.hold, [100, 900, 1_000])
        tally.moved(moves.sorted { $0.at < $1.at })
        let hold = tally.told(.pressed(.hold))
        let hook = tally.told(.hook(.offHook))
        let nothing = tally.told(.released(.hold))
        #expect((hold, hook, nothing) == (3, 5, 0))
        #expect(
            figures(tally, "hook")
                == .init(activations: 1, mostChanges: 5, longestBounce: .milliseconds(4)))
        #expect(
            figures(tally, "key hold")
                == .init(activations: 1, mostChanges: 3, longestBounce: .microseconds(900)))
        #expect(figures(tally, "input tamper") == .init())
    }

    @Test("presses and releases are separate touches; a twitch is no press, and the longest bounce counts")
    func pressesAndReleasesAreSeparateTouchesTwitchIsNoPress() throws {
        var tally = ContactTally(try Self.board())
        // Pressed, released after 100 ms with two bounces, a twitch, and pressed.
        tally.moved(edges(Line.hold, [0, 100_000, 101_000, 103_000, 300_000, 300_200, 500_000]))
        #expect(tally.told(.pressed(.hold)) == 7)
        #expect(
            figures(tally, "key hold")
                == .init(activations: 2, mostChanges: 3, longestBounce: .milliseconds(3)))
        // After 40 ms it is another touch, except for a contact with a longer debounce.
        tally.moved(edges(Line.hook, [0, 40_000, 80_000]) + edges(Line.mute, [0, 40_000, 80_000]))
        #expect(figures(tally, "hook") == .init(activations: 2, mostChanges: 1))
        #expect(
            figures(tally, "key mute")
                == .init(activations: 1, mostChanges: 3, longestBounce: .milliseconds(80)))
    }

    @Test("a digit has its pulses, a knob's turn both contacts, and a matrix or failure none")
    func digitHasItsPulsesKnobTurnBothContacts() throws {
        var tally = ContactTally(try Self.board())
        tally.moved(edges(Line.offNormal, [0]) + edges(Line.pulse, [50_000, 110_000, 150_000, 210_000]))
        tally.moved(edges(Line.column, [0, 1, 2]))
        tally.moved(edges(Line.knobA, [0, 20_000]) + edges(Line.knobB, [10_000, 30_000]))
        #expect(tally.told(.hookFound(.onHook)) == 0 && tally.told(.failed("x")) == 0)
        #expect(tally.told(.pressed(.digit(.pound))) == 0)
        #expect(tally.told(.pressed(.volumeUp)) == 4)
        #expect(tally.told(.pressed(.digit(.two))) == 4)
        #expect(tally.told(.released(.digit(.two))) == 0)
        #expect(figures(tally, "dial pulse") == .init(activations: 2, mostChanges: 1))
        #expect(figures(tally, "dial off-normal") == .init(activations: 1, mostChanges: 1))
    }

    @Test("the table has a row for each contact, even an unused one; a board without contacts has none")
    func tableHasRowForEachContactEvenUnusedOne() throws {
        var tally = ContactTally(try Boards.small())
        tally.moved(edges(0, [0, 400, 4_210]))
        #expect(
            tally.table == [
                "          times active  most changes of level  longest bounce",
                "hook                 1                      3         4210 µs",
                "key hold             0                      0            0 µs",
            ])
        let none = try Boards.board("  backend: simulated\n  chip: c\n  ringer: {line: 1}")
        #expect(ContactTally(none).table == [])
    }
}
