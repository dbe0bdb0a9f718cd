import Base
import Platform
import Synchronization

/// The adapter that starts programs on events: it gives each one event on its standard input, and ends those that take
/// too long. All waiting is done on its own thread.
///
/// A program gets only the event from the phone: no descriptor, no environment variable, and no shell in between.
public final class Programs: Sendable {
    /// One program that has to be started.
    struct Order: Sendable {
        let rule: ProgramRule
        /// The rule's number, which no other rule ever has.
        let number: Int
        let event: String
        /// One line of JSON, with its line break.
        let input: [UInt8]
    }

    /// The state that the control thread and the programs' thread share.
    struct Desk: Sendable {
        var desk = ProgramDesk()
        var rules: [ProgramRule] = []
        /// The number of the first rule.
        var firstNumber = 0
        /// At most as many as the desk allows programs to run.
        var orders: [Order] = []
        var failed: [ProgramStatistics.Failure: Int] = [:]
        var isStarted = false
        var isClosed = false
    }

    let desk: Mutex<Desk>
    let wakeSignal: WakeSignal
    let report: @Sendable (ProgramReport) -> Void
    private let thread = Mutex<NamedThread?>(nil)

    /// Before the first rule there is no thread.
    /// - Parameter report: Called on the programs' thread, and by `tell` on the caller's thread when an event is
    ///   dropped.
    public init(_ rules: [ProgramRule], report: @escaping @Sendable (ProgramReport) -> Void) throws(SystemFailure) {
        desk = Mutex(Desk(rules: rules))
        self.report = report
        wakeSignal = try WakeSignal()
    }

    /// Starts the thread. Earlier events wait for it.
    public func start() throws(SystemFailure) {
        desk.withLock { $0.isStarted = true }
        try startThread()
    }

    /// Replaces all rules. Programs of the former rules run on.
    public func use(_ rules: [ProgramRule]) throws(SystemFailure) {
        desk.withLock { state in
            guard state.rules != rules else { return }
            state.firstNumber += state.rules.count
            state.rules = rules
        }
        try startThread()
    }

    private func startThread() throws(SystemFailure) {
        let isNeeded = desk.withLock { $0.isStarted && !$0.isClosed && !$0.rules.isEmpty }
        try thread.withLock { (thread) throws(SystemFailure) in
            guard isNeeded, thread == nil else { return }
            thread = try NamedThread(.programs) { [self] in ProgramLoop(self).run() }
        }
    }

    /// Starts the programs that want this event. Never blocks, from any thread.
    /// - Parameter json: The event in one line; evaluated only if a rule names the event.
    public func tell(_ event: String, _ json: () -> String) {
        guard desk.withLock({ $0.rules.contains { $0.events.contains(event) } }) else { return }
        let now = MonotonicClock.now()
        let input = Array((json() + "\n").utf8)
        let untold = desk.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            for (index, rule) in state.rules.enumerated() where rule.events.contains(event) {
                let number = state.firstNumber + index
                guard state.desk.admit(number, at: now) == nil else { continue }
                state.orders.append(Order(rule: rule, number: number, event: event, input: input))
            }
            return state.desk.takeUntold(at: now)
        }
        wakeSignal.raise()
        if let untold { report(.dropped(untold)) }
    }

    public var statistics: ProgramStatistics {
        desk.withLock { state in
            var copy = ProgramStatistics()
            copy.started = state.desk.started
            copy.failed = state.failed
            copy.dropped = state.desk.dropped
            return copy
        }
    }

    /// Ends all programs and the thread, within 200 ms.
    /// - Returns: False if the thread hangs and the deadline has passed.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        desk.withLock { $0.isClosed = true }
        wakeSignal.raise()
        return thread.withLock { $0.take() }?.join(by: deadline) ?? true
    }
}
