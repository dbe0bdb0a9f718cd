import Base
import Glibc
import Panel
import PhoneCore
import Synchronization
import Testing

/// A display that answers, or does not, on its thread.
@Suite struct DisplayThreadTests {
    /// A bus with one character display, which can be unplugged.
    private final class Bus: DisplayBus {
        private struct State {
            var display = SimulatedCharacterDisplay()
            var isThere = true
            var opened = 0
        }

        private let spec: DisplaySpec
        private let state = Mutex(State())

        init(_ spec: DisplaySpec) { self.spec = spec }

        var opened: Int { state.withLock { $0.opened } }
        var isOn: Bool { state.withLock { $0.display.isOn } }

        func plug(_ isThere: Bool) {
            state.withLock { state in
                if !isThere { state.display = SimulatedCharacterDisplay() }
                state.isThere = isThere
            }
        }

        func shows(_ text: String) -> Bool {
            for _ in 0..<1_200 {
                let row = state.withLock { $0.display.rows(columns: 16, count: 1)[0] }
                if String(decoding: row, as: UTF8.self).hasPrefix(text) { return true }
                usleep(10_000)
            }
            return false
        }

        func open() throws(DisplayError) {
            let isThere = state.withLock { state in
                state.opened += 1
                return state.isThere
            }
            if !isThere { throw DisplayError(spec, "no device answers at this address") }
        }

        func write(_ bytes: [UInt8]) throws(DisplayError) {
            let isThere = state.withLock { state in
                if state.isThere { state.display.take(bytes) }
                return state.isThere
            }
            if !isThere { throw DisplayError(spec, "no device answers at this address") }
        }

        func close() {}
    }

    @Test func removedDisplayIsReportedOnceAndRestarted() throws {
        let board = try Boards.board(
            "  backend: simulated\n  chip: c\n  display: {controller: hd44780, bus: /dev/i2c-7}")
        let spec = try #require(board.panel.display)
        let (bus, told) = (Bus(spec), Reports())
        let display = Display(spec, bus: bus, showing: DisplayContent(title: "Ready")) { told.add($0) }
        try display.start()
        #expect(bus.shows("Ready"))
        display.show(DisplayContent(title: "Ada"))
        #expect(bus.shows("Ada  "))
        bus.plug(false)
        for name in ["B", "C", "D"] {
            display.show(DisplayContent(title: name))
            usleep(20_000)
        }
        bus.plug(true)
        #expect(bus.shows("D    "), "it is tried again after five seconds")
        #expect(told.all == ["display 0x27 on /dev/i2c-7: no device answers at this address", "display: works again"])
        display.close()
        #expect(!bus.isOn)
        #expect(bus.opened <= 3)
    }

    private final class Reports: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }
}
