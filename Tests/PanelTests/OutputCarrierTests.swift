import Base
import Panel
import PhoneCore
import Testing

@Suite("Dimmed lamps and AC bells")
struct OutputCarrierTests {
    private static let cadence = RingCadence([.seconds(1), .seconds(4)])

    /// Runs a machine by its deadlines; returns how long each output's line was active, and whether two were at once.
    private static func run(
        _ machine: inout PanelMachine, from start: Instant, for duration: Duration
    ) -> (active: [Duration], overlap: Duration, changes: Int) {
        var (now, changes, overlap) = (start, 0, Duration.zero)
        var active = machine.plan.outputs.map { _ in Duration.zero }
        var last = active.map { _ in false }
        while now < start + duration {
            let next = min(machine.deadline(after: now) ?? start + duration, start + duration)
            guard next > now else { preconditionFailure("a deadline is later than now") }
            let levels = machine.plan.outputs.map { machine.isOn($0, at: now) }
            for index in levels.indices where levels[index] { active[index] += next - now }
            if levels.count(where: { $0 }) > 1 { overlap += next - now }
            changes += zip(levels, last).count { $0 != $1 }
            (now, last) = (next, levels)
        }
        return (active, overlap, changes)
    }

    private static func machine(_ outputs: String) throws -> PanelMachine {
        var machine = PanelMachine(
            PanelPlan(try Boards.board("  backend: simulated\n  chip: c\n\(outputs)").panel), hookIsActive: false)
        _ = machine.looked(edges: [], active: [], at: .zero)
        return machine
    }

    @Test("a lamp's brightness is its duty cycle, even while it blinks", arguments: [1, 25, 60, 99])
    func lampBrightnessIsItsDutyCycleEvenWhileItBlinks(percent: Int) throws {
        var machine = try Self.machine("  lamps: {line: {line: 1, brightness: \(percent)}}")
        machine.perform(.lamp(.line, .on), at: .zero)
        #expect(Self.run(&machine, from: .zero, for: .seconds(10)).active == [.milliseconds(100 * percent)])
        machine.perform(.lamp(.line, .slowBlink), at: .zero + .seconds(10))
        let blinking = Self.run(&machine, from: .zero + .seconds(10), for: .seconds(10))
        #expect(blinking.active == [.milliseconds(50 * percent)])
        machine.perform(.lamp(.line, .off), at: .zero + .seconds(20))
        #expect(Self.run(&machine, from: .zero + .seconds(20), for: .seconds(10)).changes == 0)
        #expect(machine.deadline(after: .zero + .seconds(30)) == nil, "a lamp that is off wakes nobody")
    }

    @Test("a fully bright lamp causes no wake-ups")
    func fullyBrightLampCausesNoWakeUps() throws {
        var machine = try Self.machine("  lamps: {line: {line: 1, brightness: 100}}")
        machine.perform(.lamp(.line, .on), at: .zero)
        #expect(machine.isOn(machine.plan.outputs[0], at: .zero))
        #expect(machine.deadline(after: .zero) == nil)
    }

    @Test(
        "a bridge's halves alternate at the bell's frequency and are never on together", arguments: [15, 20, 25, 30])
    func bridgeHalvesAlternateAtBellFrequencyAndAreNeverOnTogether(hertz: Int) throws {
        var machine = try Self.machine(
            "  ringer: {forward: {line: 1}, backward: {line: 2}, frequency: \(hertz)}")
        machine.perform(.bell(Self.cadence), at: .zero)
        let heard = Self.run(&machine, from: .zero, for: .seconds(5))
        #expect(heard.overlap == .zero)
        // Each half begins and ends once in each period of the one second that sounds. One more beginning may fit if a
        // period is no whole number of nanoseconds.
        #expect((4 * hertz...4 * hertz + 2).contains(heard.changes))
        let half = Duration.seconds(1) / (2 * hertz) - .milliseconds(2)
        for active in heard.active { #expect(abs((active - half * hertz).nanoseconds) < 1_000) }
        machine.perform(.bell(nil), at: .zero + .seconds(5))
        #expect(Self.run(&machine, from: .zero + .seconds(5), for: .seconds(5)).changes == 0)
    }

    /// The thread was late by a whole half: the first line goes off before the second goes on.
    @Test("lines switch off before others switch on")
    func linesSwitchOffBeforeOthersSwitchOn() throws {
        let backend = WatchedBackend()
        let board = try Boards.board(
            "  backend: simulated\n  chip: c\n  ringer: {forward: {line: 1}, backward: {line: 2}}")
        let panel = Panel(board: board, backend: backend) { _ in }
        try panel.start()
        panel.perform(.bell(RingCadence([.seconds(10), .seconds(1)])))
        #expect(backend.waits(for: 30))
        panel.close()
        #expect(!backend.hadBoth)
    }

    @Test(
        "invalid carrier settings are rejected",
        arguments: [
            "  lamps: {line: {line: 1, brightness: 0}}", "  lamps: {line: {line: 1, brightness: 101}}",
            "  ringer: {forward: {line: 1}}", "  ringer: {forward: {line: 1}, backward: {line: 1}}",
            "  ringer: {forward: {line: 1}, backward: {line: 2}, frequency: 50}",
            "  ringer: {forward: {line: 1}, backward: {line: 2}, line: 3}", "  ringer: {backward: {line: 2}}",
            "  encoder: {a: {line: 1}}", "  encoder: {a: {line: 1}, b: {line: 1}}",
            "  encoder: {a: {line: 1}, b: {line: 2}, changes: 3}",
        ])
    func invalidCarrierSettingsAreRejected(panel: String) {
        #expect(throws: (any Error).self) { try Boards.board("  backend: simulated\n  chip: c\n\(panel)") }
    }
}
