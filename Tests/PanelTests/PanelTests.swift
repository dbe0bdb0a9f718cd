import Base
import HostStalls
import Panel
import PhoneCore
import Platform
import Testing

@Suite(.serialized, .stallsForgiven, .limit(minutesEachTime: 1))
struct PanelTests {
    private func started(
        _ recorder: Recorder, bounce: ContactBounce = .typical
    ) throws -> (panel: Panel, backend: SimulatedBackend) {
        let board = try Boards.small()
        let backend = SimulatedBackend(board: board, bounce: bounce, seed: 9, onOutput: recorder.onOutput)
        let panel = Panel(board: board, backend: backend, post: recorder.post)
        try panel.start()
        return (panel, backend)
    }

    @Test("the hook is read at start, in either position", arguments: [true, false])
    func hookIsReadAtStartInEitherPosition(_ lifted: Bool) async throws {
        let recorder = Recorder()
        let board = try Boards.small()
        let backend = SimulatedBackend(board: board)
        try backend.stimulate(.setLine("hook", active: lifted))
        let panel = Panel(board: board, backend: backend, post: recorder.post)
        try panel.start()
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .hookFound(lifted ? .offHook : .onHook))
        panel.close()
    }

    @Test("lifting, dialling and hanging up are reported")
    func liftingDiallingAndHangingUpAreReported() async throws {
        let recorder = Recorder()
        let (panel, backend) = try started(recorder)
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .hookFound(.onHook))
        try backend.stimulate(.liftHook)
        #expect(await events.next() == .hook(.offHook))
        for (name, symbol) in [("1", DTMFSymbol.one), ("8", .eight)] {
            try backend.stimulate(.press(name))
            #expect(await events.next() == .pressed(.digit(symbol)))
            try backend.stimulate(.release(name))
            #expect(await events.next() == .released(.digit(symbol)))
        }
        try backend.stimulate(.press("hold"))
        #expect(await events.next() == .pressed(.hold))
        try backend.stimulate(.replaceHook)
        #expect(await events.next() == .hook(.onHook))
        panel.close()
    }

    @Test("a bell keeps its cadence, and is silent within 100 ms of the order")
    func bellKeepsItsCadenceAndIsSilentWithin100MsOfOrder() async throws {
        let recorder = Recorder()
        let (panel, backend) = try started(recorder)
        var outputs = recorder.outputs.makeAsyncIterator()
        panel.perform(.bell(RingCadence([.milliseconds(80), .milliseconds(40), .milliseconds(300), .seconds(5)])))
        var times: [Instant] = []
        for active in [true, false, true] {
            let output = try #require(await outputs.next())
            #expect(output.part == .bell)
            #expect(output.active == active)
            times.append(output.at)
        }
        // A busy machine may be late for a change; no change comes early by more than the other was late.
        let allowed = Duration.milliseconds(60)
        #expect((.milliseconds(80) - allowed ... .milliseconds(80) + allowed).contains(times[1] - times[0]))
        #expect((.milliseconds(40) - allowed ... .milliseconds(40) + allowed).contains(times[2] - times[1]))
        // A button that is released already: it changes nothing and reports the time on the panel's own clock.
        let ordered = try backend.stimulate(.release("hold"))
        panel.perform(.bell(nil))
        let silence = try #require(await outputs.next())
        #expect(!silence.active)
        #expect(silence.at - ordered < .milliseconds(100))
        panel.close()
    }

    @Test("closing switches outputs off at once and for good")
    func closingSwitchesOutputsOffAtOnceAndForGood() async throws {
        let recorder = Recorder()
        let (panel, _) = try started(recorder)
        panel.perform(.lamp(.message, .on))
        var outputs = recorder.outputs.makeAsyncIterator()
        #expect(await outputs.next()?.active == true)
        panel.close()
        let off = try #require(await outputs.next())
        #expect(off.part == .lamp(.message))
        #expect(!off.active)
        panel.perform(.lamp(.message, .on))
        panel.close()
    }

    @Test("a dial is turned, a relay switched; closing switches the relay off")
    func dialIsTurnedRelaySwitchedClosingSwitchesRelayOff() async throws {
        let recorder = Recorder()
        let board = try Boards.rotary(offNormal: true)
        let backend = SimulatedBackend(board: board, onOutput: recorder.onOutput)
        let panel = Panel(board: board, backend: backend, post: recorder.post)
        try panel.start()
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .hookFound(.onHook))
        // A thread that gets no processor for half a turn loses edges. Then the turn is a fault, and a person dials again.
        let turns = Task {
            var turns = 0
            while !Task.isCancelled && turns < 10 {
                try backend.stimulate(.dial(.three, pulsesPerSecond: 10))
                turns += 1
                try? await Task.sleep(for: .seconds(4))
            }
            return turns
        }
        #expect(await events.next() == .pressed(.digit(.three)))
        #expect(await events.next() == .released(.digit(.three)))
        turns.cancel()
        #expect(try await turns.value <= panel.statistics.dialFaults + 1)
        var outputs = recorder.outputs.makeAsyncIterator()
        panel.perform(.relay(1, on: true))
        let first = try #require(await outputs.next())
        #expect(first.part == .relay(1) && first.active)
        panel.close()
        let last = try #require(await outputs.next())
        #expect(last.part == .relay(1) && !last.active)
    }

    /// Nothing is ordered after the pulse, as when the rest of the phone hangs.
    @Test("a relay's pulse ends on the panel's own thread")
    func relayPulseEndsOnPanelOwnThread() async throws {
        let recorder = Recorder()
        let board = try Boards.rotary(offNormal: false)
        let backend = SimulatedBackend(board: board, onOutput: recorder.onOutput)
        let panel = Panel(board: board, backend: backend, post: recorder.post)
        try panel.start()
        let end = MonotonicClock.now() + .milliseconds(150)
        panel.perform(.pulse(2, until: end))
        var outputs = recorder.outputs.makeAsyncIterator()
        let on = try #require(await outputs.next())
        #expect(on.part == .relay(2) && on.active)
        let off = try #require(await outputs.next())
        #expect(off.part == .relay(2) && !off.active)
        #expect(off.at >= end && off.at - end < .milliseconds(100))
        panel.close()
    }

    /// Its first level read after an edge takes longer than a pulse does.
    @Test("dial edges count although the panel's thread stalls before it reads the levels")
    func dialEdgesCountAlthoughPanelThreadStallsBeforeItReadsLevels() async throws {
        let recorder = Recorder()
        let board = try Boards.rotary(offNormal: true)
        let backend = SimulatedBackend(board: board, bounce: .none)
        let panel = Panel(board: board, backend: HesitantBackend(backend, .milliseconds(70)), post: recorder.post)
        try panel.start()
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .hookFound(.onHook))
        for (digit, speed) in [(DTMFSymbol.three, 10), (.two, 8), (.one, 10)] {
            try backend.stimulate(.dial(digit, pulsesPerSecond: speed))
            #expect(await events.next() == .pressed(.digit(digit)))
            #expect(await events.next() == .released(.digit(digit)))
        }
        panel.close()
    }

    @Test("an input active at start is reported without an edge, and orders for missing relays do nothing")
    func inputActiveAtStartIsReportedWithoutEdge() async throws {
        let recorder = Recorder()
        let board = try Boards.rotary(offNormal: false)
        let backend = SimulatedBackend(board: board, onOutput: recorder.onOutput)
        try backend.stimulate(.setLine("inputs.tamper", active: true))
        _ = try backend.wait(until: .zero)  // The edge is gone, as before a program's start.
        let panel = Panel(board: board, backend: backend, post: recorder.post)
        try panel.start()
        panel.perform(.relay(9, on: true))
        var events = recorder.events.makeAsyncIterator()
        #expect(await events.next() == .hookFound(.onHook))
        #expect(await events.next() == .input("tamper", active: true))
        panel.close()
    }

    @Test("orders for missing parts change nothing")
    func ordersForMissingPartsChangeNothing() async throws {
        let recorder = Recorder()
        let (panel, _) = try started(recorder)
        panel.perform(.lamp(.speaker, .fastBlink))
        panel.perform(.lamp(.message, .on))
        var outputs = recorder.outputs.makeAsyncIterator()
        #expect(await outputs.next()?.part == .lamp(.message))
        panel.close()
    }

    @Test("a panel that never started may be closed")
    func panelThatNeverStartedMayBeClosed() throws {
        let board = try Boards.small()
        Panel(board: board, backend: SimulatedBackend(board: board)) { _ in }.close()
    }
}
