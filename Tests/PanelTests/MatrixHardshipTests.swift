import Base
import Panel
import PhoneCore
import Testing

@Suite("Matrix of keys on bad wires, in simulated time")
struct MatrixHardshipTests {
    private func pressed(_ digit: DTMFSymbol) -> PanelEvent { .pressed(.digit(digit)) }
    private func released(_ digit: DTMFSymbol) -> PanelEvent { .released(.digit(digit)) }

    @Test(
        "bounce of 0.2 to 5 ms at make and break gives one press and one release", arguments: 0..<100 as Range<UInt64>)
    func bounceOf02To5MsAtMakeAndBreakGivesOnePressAndOneRelease(_ seed: UInt64) throws {
        let bounce = ContactBounce(duration: .microseconds(200 + 48 * Int(seed)), breaks: 1...10)
        var phone = SimulatedTime(try Boards.small(), bounce: bounce, seed: seed, lag: .milliseconds(1))
        for _ in 0..<5 {
            try phone.apply(.press("6"))
            phone.run(for: .milliseconds(40))
            try phone.apply(.release("6"))
            phone.run(for: .milliseconds(60))
        }
        #expect(phone.events.map(\.event) == (0..<5).flatMap { _ in [pressed(.six), released(.six)] })
    }

    @Test("two keys work in every order of press and release", arguments: 0..<2 as Range<UInt64>)
    func twoKeysWorkInEveryOrderOfPressAndRelease(_ seed: UInt64) throws {
        let names = (1...8).map { "\($0)" }
        for first in names {
            for second in names where second != first {
                for releasesFirst in [true, false] {
                    var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: seed)
                    let order = releasesFirst ? [first, second] : [second, first]
                    let acts: [PanelStimulus] = [.press(first), .press(second), .release(order[0]), .release(order[1])]
                    for act in acts {
                        try phone.apply(act)
                        phone.run(for: .milliseconds(50))
                    }
                    let key = { (name: String) in try #require(Key(name: name)) }
                    let expected: [PanelEvent] = [
                        .pressed(try key(first)), .pressed(try key(second)), .released(try key(order[0])),
                        .released(try key(order[1])),
                    ]
                    #expect(phone.events.map(\.event) == expected)
                }
            }
        }
    }

    @Test("with three corners of any rectangle pressed the fourth never appears", arguments: [1, 2, 4, 5])
    func withThreeCornersOfAnyRectanglePressedFourthNeverAppears(_ corner: Int) throws {
        // Corners of the rectangle of two by two that begins there; one after another is left out.
        let corners = [corner, corner + 1, corner + 3, corner + 4].filter { $0 < 9 }
        for ghost in corners {
            var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: UInt64(corner))
            for key in corners where key != ghost {
                try phone.apply(.press("\(key)"))
                phone.run(for: .milliseconds(50))
            }
            for key in corners where key != ghost {
                try phone.apply(.release("\(key)"))
                phone.run(for: .milliseconds(50))
            }
            let name = try #require(Key(name: "\(ghost)"))
            #expect(!phone.events.contains { $0.event == .pressed(name) })
            #expect(phone.events.count.isMultiple(of: 2))
        }
    }

    @Test("in the largest matrix, 8 by 8, each key is identified while another is held")
    func inLargestMatrix8By8EachKeyIsIdentifiedWhileAnotherIsHeld() throws {
        let names = Key.names.prefix(64).map(\.name)
        let rows = (0..<8).map { row in names[8 * row..<8 * row + 8].map { "\"\($0)\"" }.joined(separator: ", ") }
        let board = try Boards.board(
            "  backend: simulated\n  chip: c\n  keypad:\n    rows: [0, 1, 2, 3, 4, 5, 6, 7]\n"
                + "    columns: [8, 9, 10, 11, 12, 13, 14, 15]\n    keys: [[\(rows.joined(separator: "], ["))]]")
        var phone = SimulatedTime(board, bounce: .none, seed: 8)
        var expected: [PanelEvent] = []
        // Each key is pressed before the last one is released.
        for (name, last) in zip(names, [nil] + names.map(Optional.some)) {
            try phone.apply(.press(name))
            phone.run(for: .milliseconds(15))
            expected.append(.pressed(try #require(Key(name: name))))
            guard let last else { continue }
            try phone.apply(.release(last))
            phone.run(for: .milliseconds(25))
            expected.append(.released(try #require(Key(name: last))))
        }
        #expect(phone.events.map(\.event) == expected)
    }

    @Test("noise shorter than the press time is no press", arguments: 0..<50 as Range<UInt64>)
    func noiseShorterThanPressTimeIsNoPress(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var phone = SimulatedTime(try Boards.small(), bounce: .none, seed: seed)
        for _ in 0..<100 {
            let name = "\(Int.random(in: 1...8, using: &generator))"
            try phone.apply(.press(name))
            phone.run(for: .microseconds(Int.random(in: 1...9_900, using: &generator)))
            try phone.apply(.release(name))
            phone.run(for: .milliseconds(Int.random(in: 20...60, using: &generator)))
        }
        #expect(phone.events.isEmpty)
        let scans = phone.scans
        phone.run(for: .seconds(10))
        #expect(phone.scans == scans)
    }

    @Test("a key held at start is pressed without an edge, and released later")
    func keyHeldAtStartIsPressedWithoutEdgeAndReleasedLater() throws {
        let plan = PanelPlan(try Boards.small().panel)
        var machine = PanelMachine(plan, hookIsActive: false)
        let keypad = try #require(plan.keypad)
        let start = Instant.zero + .seconds(5)
        #expect(machine.deadline(after: start) == start)
        let early = machine.looked(edges: [], active: [keypad.columns[1]], at: start)
        #expect(early.isEmpty)
        var image = MatrixImage(rows: 3, columns: 3)
        image[1, 1] = true
        var told: [PanelEvent] = []
        for millisecond in stride(from: 0, to: 100, by: 5) {
            let now = start + .milliseconds(millisecond)
            #expect(machine.wantsScan(at: now))
            told += machine.scanned(millisecond < 50 ? image : MatrixImage(rows: 3, columns: 3), at: now)
            if told.count == 2 { break }
        }
        #expect(told == [pressed(.five), released(.five)])
        #expect(machine.watchedLines.contains(keypad.columns[1]))
    }

    /// A press is missed only if the last edges of its bounce are lost, and no other comes until its release.
    @Test(
        "with one edge in three lost each release has its press, and few presses are missed",
        arguments: 0..<6 as Range<UInt64>)
    func withOneEdgeInThreeLostEachReleaseHasItsPress(_ seed: UInt64) throws {
        var phone = SimulatedTime(try Boards.small(), bounce: .typical, seed: seed, losesOneOf: 3)
        var generator = SeededGenerator(seed: seed)
        var missed = 0
        for _ in 0..<50 {
            let digit = try #require(DTMFSymbol(rawValue: UInt8.random(in: 1...8, using: &generator)))
            let before = phone.events.count
            try phone.apply(.press(String(digit.character)))
            phone.run(for: .milliseconds(60))
            try phone.apply(.release(String(digit.character)))
            phone.run(for: .milliseconds(60))
            let told = phone.events[before...].map(\.event)
            #expect(told == [pressed(digit), released(digit)] || told.isEmpty)
            missed += told.isEmpty ? 1 : 0
        }
        #expect(missed <= 5)
    }

    @Test("a press whose only edge is lost is seen at the next wake-up")
    func pressWhoseOnlyEdgeIsLostIsSeenAtNextWakeUp() throws {
        let plan = PanelPlan(try Boards.small().panel)
        let keypad = try #require(plan.keypad)
        var machine = PanelMachine(plan, hookIsActive: false)
        _ = machine.looked(edges: [], active: [], at: .zero)
        #expect(machine.deadline(after: .zero) == nil)
        // The hook moves two seconds later.
        let now = Instant.zero + .seconds(2)
        _ = machine.looked(
            edges: [LineEdge(line: 0, active: true, at: now)], active: [0, keypad.columns[0]], at: now)
        #expect(machine.wantsScan(at: now))
    }
}
