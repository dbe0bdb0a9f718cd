import Base
import Panel
import PhoneCore

/// The panel's reports, as streams that a test waits on. They end after a time, so a vain wait ends before the time
/// limit of all attempts.
struct Recorder {
    private static let patience = Duration.seconds(30)

    let events: AsyncStream<PanelEvent>
    let outputs: AsyncStream<SimulatedOutput>
    let post: @Sendable (PanelEvent) -> Void
    let onOutput: @Sendable (SimulatedOutput) -> Void

    init() {
        let (events, eventInput) = AsyncStream.makeStream(of: PanelEvent.self)
        let (outputs, outputInput) = AsyncStream.makeStream(of: SimulatedOutput.self)
        self.events = events
        self.outputs = outputs
        post = { eventInput.yield($0) }
        onOutput = { outputInput.yield($0) }
        Task {
            try await Task.sleep(for: Self.patience)
            eventInput.finish()
            outputInput.finish()
        }
    }
}

/// A backend whose nth operation fails, as when a chip is unplugged.
final class FailingBackend: PanelBackend {
    private let inner: SimulatedBackend
    private let operations: Countdown

    init(_ inner: SimulatedBackend, failAt operation: Int) {
        self.inner = inner
        operations = Countdown(operation)
    }

    func open(_ lines: [LineRequest]) throws(PanelError) {
        try operations.next()
        try inner.open(lines)
    }

    func isActive(_ line: Int) throws(PanelError) -> Bool {
        try operations.next()
        return try inner.isActive(line)
    }

    func set(_ line: Int, active: Bool) throws(PanelError) {
        try operations.next()
        try inner.set(line, active: active)
    }

    func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        try operations.next()
        return try inner.wait(until: deadline)
    }

    func wake() { inner.wake() }
    func close() { inner.close() }
}
