import Base
import HostStalls
import Panel
import PhoneCore
import Synchronization
import Testing
import YAML
import offhook

/// The measurement of `offhook board latency`, with the simulated panel in real time.
@Suite(.stallsForgiven) struct LatencyMeasurementTests {
    private static func board() throws -> Board {
        let text = "name: t\npanel:\n  backend: simulated\n  chip: c\n  hook: {line: A, debounce: 12 ms}\n"
        return try YAMLDocument(Array(text.utf8), file: "t.yaml").read()
    }

    @Test(.limit(minutesEachTime: 1)) func liftLatencyExcludesDebounce() throws {
        let board = try Self.board()
        let backend = SimulatedBackend(board: board, bounce: .none)
        let heard = Mutex<[String]>([])
        let measurement = LatencyMeasurement(board) { event, words in
            heard.withLock { $0.append(words) }
            // Each event triggers the next movement.
            _ = try? backend.stimulate(event == .hook(.offHook) ? .replaceHook : .liftHook)
        }
        let tally = try measurement.run(backend, events: 6, time: .seconds(30), isOver: { false })
        #expect(tally.told.count >= 6 && tally.awake.count >= 6)
        #expect(tally.told.allSatisfy { $0 < .milliseconds(500) }, "\(tally.told)")
        let words = heard.withLock { $0 }
        #expect(words.first == "", "\(words)")
        #expect(words.dropFirst().allSatisfy { $0.hasSuffix(" µs late (debounce 12 ms)") }, "\(words)")
    }

    @Test(.limit(minutesEachTime: 1)) func measurementEndsByTimeOrInterrupt() throws {
        let board = try Self.board()
        for (time, isOver) in [(Duration.milliseconds(50), false), (.seconds(3_600), true)] {
            let measurement = LatencyMeasurement(board) { _, _ in }
            let tally = try measurement.run(
                SimulatedBackend(board: board), events: 1, time: time, isOver: { isOver })
            #expect(tally.told.isEmpty && tally.awake.isEmpty)
        }
    }
}
