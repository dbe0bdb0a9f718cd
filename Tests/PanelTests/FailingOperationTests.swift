import Panel
import PhoneCore
import Testing

/// Failed lines are taken again half a second later, without any work in between.
@Suite(.timeLimit(.minutes(5)))
struct FailingOperationTests {
    /// Each operation on the lines fails once. The failure is reported once, the lines are taken again and show all
    /// orders since, and closing always returns.
    @Test("failure of any single operation is reported once and recovered", arguments: 0..<60)
    func failureOfAnySingleOperationIsReportedOnceAndRecovered(_ operation: Int) async throws {
        let recorder = Recorder()
        let board = try Boards.small()
        let inner = SimulatedBackend(board: board, bounce: .none, onOutput: recorder.onOutput)
        let panel = Panel(board: board, backend: FailingBackend(inner, failAt: operation), post: recorder.post)
        try panel.start()
        panel.perform(.lamp(.message, .on))
        var events = recorder.events.makeAsyncIterator()
        var event = await events.next()
        if event == .hookFound(.onHook) {
            try inner.stimulate(.press("1"))
            event = await events.next()
            if event == .pressed(.digit(.one)) { event = await events.next() }
        } else {
            #expect(operation < 5)
        }
        #expect(event == .failed("the panel failed: unplugged"))
        panel.perform(.lamp(.ringing, .on))
        #expect(await events.next() == .hookFound(.onHook))
        var outputs = recorder.outputs.makeAsyncIterator()
        var lit: Set<PanelOutput> = []
        while lit.count < 2 {
            let output = try #require(await outputs.next())
            // Lamps that were lit before the failure went dark with it.
            if output.active { lit.insert(output.part) } else { lit.remove(output.part) }
        }
        try inner.stimulate(.press("2"))
        while event != .pressed(.digit(.two)) { event = await events.next() }
        panel.close()
    }
}
