import Base
import Panel
import PhoneCore
import Testing

@Suite("Rotary encoder for the volume")
struct RotaryEncoderTests {
    /// The levels of the two contacts as the knob turns clockwise.
    private static let sequence = [(true, false), (true, true), (false, true), (false, false)]

    /// Turns by single changes; clockwise ones are positive.
    private static func turn(_ knob: inout RotaryEncoder, by changes: Int, from place: inout Int) -> [Bool] {
        (0..<abs(changes)).compactMap { _ in
            place = (place + changes.signum() + 4) % 4
            let levels = sequence[(place + 3) % 4]
            return knob.moved(leading: levels.0, trailing: levels.1).map { $0 == .clockwise }
        }
    }

    @Test("each rest is one step, either way", arguments: [1, 2, 4])
    func eachRestIsOneStepEitherWay(changes: Int) {
        var (knob, place) = (RotaryEncoder(changes: changes, leading: false, trailing: false), 0)
        #expect(Self.turn(&knob, by: 12, from: &place) == Array(repeating: true, count: 12 / changes))
        #expect(Self.turn(&knob, by: -8, from: &place) == Array(repeating: false, count: 8 / changes))
    }

    @Test("a knob that does not reach its next rest has not turned")
    func knobThatDoesNotReachItsNextRestHasNotTurned() {
        var (knob, place) = (RotaryEncoder(changes: 4, leading: false, trailing: false), 0)
        for changes in [1, -1, 2, -2, 3, -3, -1, 1, -3, 3] {
            #expect(Self.turn(&knob, by: changes, from: &place).isEmpty)
        }
        #expect(Self.turn(&knob, by: 4, from: &place) == [true])
    }

    @Test("bouncing contacts turn nothing", arguments: 1...50 as ClosedRange<UInt64>)
    func bouncingContactsTurnNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (knob, place) = (RotaryEncoder(changes: 4, leading: false, trailing: false), 0)
        var steps: [Bool] = []
        for _ in 0..<40 {
            steps += Self.turn(&knob, by: 1, from: &place)
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                steps += Self.turn(&knob, by: -1, from: &place) + Self.turn(&knob, by: 1, from: &place)
            }
        }
        #expect(steps == Array(repeating: true, count: 10))
    }

    /// A kernel's queue was full, or the machine stalled: the other edges decide.
    @Test("one lost change in each step loses no step", arguments: 0..<4)
    func oneLostChangeInEachStepLosesNoStep(missing: Int) {
        var knob = RotaryEncoder(changes: 4, leading: false, trailing: false)
        var steps = 0
        for _ in 0..<10 {
            for (index, levels) in Self.sequence.enumerated() where index != missing || index == 3 {
                if knob.moved(leading: levels.0, trailing: levels.1) == .clockwise { steps += 1 }
            }
        }
        #expect(steps == 10)
    }

    @Test("its steps are volume keys of the panel, from its position at start")
    func itsStepsAreVolumeKeysOfPanelFromItsPositionAtStart() throws {
        let board = try Boards.board(
            "  backend: simulated\n  chip: c\n  encoder: {a: {line: 1}, b: {line: 2}, changes: 2}")
        #expect(board.panel.allKeys == [.volumeUp, .volumeDown])
        var phone = SimulatedTime(board, bounce: .none, seed: 1)
        phone.run(for: .milliseconds(20))
        for (name, active) in [("a", true), ("b", true), ("b", false), ("a", false)] {
            try phone.apply(.setLine("encoder.\(name)", active: active))
            phone.run(for: .milliseconds(20))
        }
        #expect(
            phone.events.map(\.event) == [
                .pressed(.volumeUp), .released(.volumeUp), .pressed(.volumeDown), .released(.volumeDown),
            ])
        var machine = PanelMachine(PanelPlan(board.panel), hookIsActive: false)
        #expect(machine.looked(edges: [], active: [0, 1], at: .zero).isEmpty)
    }
}
