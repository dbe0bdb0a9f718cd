import Base
import Foundation
import Glibc
import Panel
import PhoneCore
import Synchronization
import Testing

/// The panel on a kernel chip, through libgpiod.
@Suite(
    .serialized,
    .enabled(if: SimulatedChip.isThere, "no chip of gpio-sim (Scripts/cards boots a machine that has one)"))
struct KernelChipTests {
    private static let lines = ["HOOK", "HOLD", "A", "B", "TAMPER", "LAMP", "BELL-1", "BELL-2", "RELAY", "OPEN"]

    private static func board() throws -> Board {
        try Boards.board(
            """
              backend: gpiod
              chip: [not-here, offhook-test]
              hook: {line: HOOK, polarity: active-low, bias: pull-up, debounce: 30 ms}
              buttons: {hold: {line: HOLD, polarity: active-low, bias: pull-up}}
              encoder: {a: {line: A, polarity: active-low, bias: pull-up}, b: {line: B, polarity: active-low, bias: pull-up}}
              inputs: {tamper: {line: 4, polarity: active-high, bias: pull-down}}
              lamps: {message: {line: LAMP}}
              ringer: {forward: {line: BELL-1}, backward: {line: BELL-2}, frequency: 20}
              relays: [{line: RELAY}, {line: OPEN, drive: open-drain}]
            """)
    }

    /// The panel's reports, in order.
    private final class Told: Sendable {
        private let events = Mutex<[PanelEvent]>([])
        func add(_ event: PanelEvent) { events.withLock { $0.append(event) } }
        var all: [PanelEvent] { events.withLock { $0 } }

        func waits(for event: PanelEvent, times: Int = 1) -> Bool {
            for _ in 0..<1_500 {
                if all.count(where: { $0 == event }) >= times { return true }
                usleep(10_000)
            }
            return false
        }
    }

    private func withPanel(_ body: (SimulatedChip, Panel, Told) throws -> Void) throws {
        let (chip, told) = (try SimulatedChip(lines: Self.lines), Told())
        for line in ["HOOK", "HOLD", "A", "B"] { try chip.pull(line, high: true) }
        let panel = Panel(board: try Self.board(), backend: GPIODBackend()) { told.add($0) }
        try panel.start()
        try body(chip, panel, told)
        panel.close()
        try chip.remove()
    }

    /// Within ten seconds.
    private func eventually(_ isSo: () throws -> Bool) throws -> Bool {
        for _ in 0..<1_000 {
            if try isSo() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test func bouncingHookIsOneEventAndKeysAndKnobAreReported() throws {
        try withPanel { chip, _, told in
            #expect(told.all == [.hookFound(.onHook)])
            for high in [false, true, false, true, false] { try chip.pull("HOOK", high: high) }
            #expect(told.waits(for: .hook(.offHook)))
            try chip.pull("HOLD", high: false)
            #expect(told.waits(for: .pressed(.hold)))
            try chip.pull("HOLD", high: true)
            #expect(told.waits(for: .released(.hold)))
            for (line, high) in [("A", false), ("B", false), ("A", true), ("B", true)] {
                try chip.pull(line, high: high)
                // The kernel's simulation reports simultaneous changes as one.
                usleep(50_000)
            }
            #expect(told.waits(for: .pressed(.volumeUp)))
            try chip.pull("TAMPER", high: true)
            #expect(told.waits(for: .input("tamper", active: true)))
            try chip.pull("HOOK", high: true)
            #expect(told.waits(for: .hook(.onHook)))
            #expect(told.all.count { $0 == .hook(.offHook) } == 1)
        }
    }

    @Test func outputsAreDrivenAndOffAtEnd() throws {
        try withPanel { chip, panel, _ in
            panel.perform(.lamp(.message, .on))
            for relay in 1...2 as ClosedRange<UInt8> { panel.perform(.relay(relay, on: true)) }
            try #expect(eventually { try chip.isHigh("LAMP") && chip.isHigh("RELAY") })
            panel.perform(.bell(RingCadence([.seconds(60), .seconds(1)])))
            try #expect(eventually { try chip.isHigh("BELL-1") })
            try #expect(eventually { try chip.isHigh("BELL-2") })
            try #expect(!chip.isHigh("OPEN"), "it is let go of, and nothing pulls it up")
            panel.close()
            for line in ["LAMP", "RELAY", "BELL-1", "BELL-2"] { try #expect(!chip.isHigh(line), "\(line)") }
        }
    }

    @Test func processThatHoldsLineIsNamed() throws {
        try withPanel { _, _, _ in
            do {
                try Self.board().tryLines()
                Issue.record("two had the same line")
            } catch let error as PanelError {
                guard case .lineBusy(_, _, let consumer) = error else { throw error }
                #expect(consumer == "offhook")
            }
            let chip = try #require(GPIOChip.all().first { $0.label == SimulatedChip.label })
            #expect(chip.problem == nil)
        }
    }

    @Test func lineUnderTwoNamesIsRefused() throws {
        let chip = try SimulatedChip(lines: Self.lines)
        let path = try chip.path()
        for other in ["line: 0", "line: HOOK, chip: \(path)", "line: 0, chip: [not-here, \(path)]"] {
            let board = try Boards.board(
                "  backend: gpiod\n  chip: \(SimulatedChip.label)\n  hook: {line: HOOK}\n  ringer: {\(other)}")
            do throws(PanelError) {
                try board.tryLines()
                Issue.record("both have the line: \(other)")
            } catch {
                #expect("\(error)".hasPrefix("panel.ringer: line "), "\(error)")
                #expect("\(error)".hasSuffix(" is already used by panel.hook"), "\(error)")
            }
        }
        try chip.remove()
    }

    /// Raspberry Pi OS has such a second name.
    @Test func secondNameOfChipIsSameChip() throws {
        let chip = try SimulatedChip(lines: Self.lines)
        let link = "/dev/gpiochip99"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: chip.path())
        defer { unsafe unlink(link) }
        #expect(GPIOChip.all().count { $0.label == SimulatedChip.label } == 1)
        for name in [SimulatedChip.label, link] {
            try Boards.board("  backend: gpiod\n  chip: \(name)\n  hook: {line: HOOK}").tryLines()
        }
        try chip.remove()
    }

    @Test func removedChipIsTakenAgain() throws {
        try withPanel { chip, panel, told in
            panel.perform(.lamp(.message, .on))
            try #expect(eventually { try chip.isHigh("LAMP") })
            try chip.plug(false)
            try #expect(eventually { told.all.contains { if case .failed = $0 { true } else { false } } })
            try chip.plug(true)
            for line in ["HOOK", "HOLD", "A", "B"] { try chip.pull(line, high: true) }
            #expect(told.waits(for: .hookFound(.onHook), times: 2))
            try #expect(eventually { try chip.isHigh("LAMP") }, "the ordered outputs are shown again")
        }
    }
}
