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
    struct State: Sendable {
        var limits = ProgramLimits()
        var rules: [ProgramRule] = []
        /// The number of the first rule.
        var firstNumber = 0
        /// At most as many as the limits allow programs to run.
        var orders: [Order] = []
        var failed: [ProgramStatistics.Failure: Int] = [:]
        var isStarted = false
        var isClosed = false
    }

    let state: Mutex<State>
    let wakeSignal: WakeSignal
    let report: @Sendable (ProgramReport) -> Void
    private let thread = Mutex<NamedThread?>(nil)

    /// Before the first rule there is no thread.
    /// - Parameter report: Called on the programs' thread, and by `tell` on the caller's thread when an event is
    ///   dropped.
    public init(_ rules: [ProgramRule], report: @escaping @Sendable (ProgramReport) -> Void) throws(SystemFailure) {
        state = Mutex(State(rules: rules))
        self.report = report
        wakeSignal = try WakeSignal()
    }

    /// Starts the thread. Earlier events wait for it.
    public func start() throws(SystemFailure) {
        state.withLock { $0.isStarted = true }
        try startThread()
    }

    /// Replaces all rules. Programs of the former rules run on.
    public func use(_ rules: [ProgramRule]) throws(SystemFailure) {
        state.withLock { state in
            guard state.rules != rules else { return }
            state.firstNumber += state.rules.count
            state.rules = rules
        }
        try startThread()
    }

    private func startThread() throws(SystemFailure) {
        let isNeeded = state.withLock { $0.isStarted && !$0.isClosed && !$0.rules.isEmpty }
        try thread.withLock { (thread) throws(SystemFailure) in
            guard isNeeded, thread == nil else { return }
            thread = try NamedThread(.programs) { [self] in ProgramLoop(self).run() }
        }
    }

    /// Starts the programs that want this event. Never blocks, from any thread.
    /// - Parameter json: The event in one line; evaluated only if a rule names the event.
    public func tell(_ event: String, _ json: () -> String) {
        guard state.withLock({ $0.rules.contains { $0.events.contains(event) } }) else { return }
        let now = MonotonicClock.now()
        let input = Array((json() + "\n").utf8)
        let untold = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            for (index, rule) in state.rules.enumerated() where rule.events.contains(event) {
                let number = state.firstNumber + index
                guard state.limits.admit(number, at: now) == nil else { continue }
                state.orders.append(Order(rule: rule, number: number, event: event, input: input))
            }
            return state.limits.takeUntold(at: now)
        }
        wakeSignal.raise()
        if let untold { report(.dropped(untold)) }
    }

    public var statistics: ProgramStatistics {
        state.withLock { state in
            var copy = ProgramStatistics()
            copy.started = state.limits.started
            copy.failed = state.failed
            copy.dropped = state.limits.dropped
            return copy
        }
    }

    /// Ends all programs and the thread, within 200 ms.
    /// - Returns: False if the thread hangs and the deadline has passed.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        state.withLock { $0.isClosed = true }
        wakeSignal.raise()
        return thread.withLock { $0.take() }?.join(by: deadline) ?? true
    }
}

/// A program and the events that start it.
public struct ProgramRule: Equatable, Sendable {
    /// The events, by their names in the control interface.
    public var events: Set<String>
    /// The program's absolute path, and its arguments.
    public var command: [String]
    /// After this time the program is ended.
    public var timeLimit: Duration

    /// - Precondition: the command begins with an absolute path.
    public init(events: Set<String>, command: [String], timeLimit: Duration) {
        precondition(command.first?.hasPrefix("/") == true, "a program is named by its absolute path")
        (self.events, self.command, self.timeLimit) = (events, command, timeLimit)
    }

    var program: String { command[0] }
}

/// A report about a program for the log.
public enum ProgramReport: Equatable, Sendable {
    case cannotStart(String, String)
    /// It ended with this status or this signal.
    case failed(String, ProgramExit)
    /// It exceeded its time limit and was ended.
    case tookTooLong(String, Duration)
    /// A line of its output.
    case said(String, String)
    /// Events that were dropped, because too many programs run already or too many started in the last second.
    case dropped(Int)

    /// Whether it reports a fault.
    public var isWarning: Bool { if case .said = self { false } else { true } }

    public var sentence: String {
        switch self {
        case .cannotStart(let program, let why): "\(program) could not be started: \(why)"
        case .failed(let program, .status(let status)): "\(program) ended with status \(status)"
        case .failed(let program, .signal(let signal)): "\(program) ended by signal \(signal)"
        case .tookTooLong(let program, let limit):
            "\(program) took longer than \(limit.components.seconds) s and was ended"
        case .said(let program, let line): "\(program): \(line)"
        case .dropped(let count):
            "\(count) \(count == 1 ? "event was" : "events were") dropped: too many programs run or start at once"
        }
    }
}

/// How a program ended.
public enum ProgramExit: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
}

/// Counts of programs and dropped events since the start.
public struct ProgramStatistics: Equatable, Sendable {
    /// Why an event was dropped.
    public enum Limit: String, CaseIterable, Sendable { case running, rate }
    public enum Failure: String, CaseIterable, Sendable { case cannotStart, exit, tooLong }

    public var started = 0
    public var failed: [Failure: Int] = [:]
    public var dropped: [Limit: Int] = [:]

    public init() {}
}

/// Decides whether a program may start now. A flood of events must not flood the machine with programs.
package struct ProgramLimits: Sendable {
    /// The most programs of one rule that run at the same time.
    package static let mostOfOneRule = 4
    /// The most programs of all rules that run at the same time: fewer than systemd's limit of tasks for a unit.
    package static let mostOfAll = 16
    /// How often a person is informed while events are being dropped.
    private static let tellingPause = Duration.seconds(10)

    /// Ten programs a second, over all rules.
    private var rate = RateLimit(burst: 10, interval: .milliseconds(100))
    private var running: [Int: Int] = [:]
    private var untold = 0
    private var told: Instant?
    package private(set) var started = 0
    package private(set) var dropped: [ProgramStatistics.Limit: Int] = [:]

    package init() {}

    /// - Parameter rule: Its number.
    /// - Returns: Nil if a program of the rule may start; it then counts as running. Otherwise the limit that forbids
    ///   it.
    package mutating func admit(_ rule: Int, at now: Instant) -> ProgramStatistics.Limit? {
        let limit: ProgramStatistics.Limit?
        if running[rule, default: 0] >= Self.mostOfOneRule || running.values.reduce(0, +) >= Self.mostOfAll {
            limit = .running
        } else {
            limit = rate.admit(at: now) ? nil : .rate
        }
        if let limit {
            dropped[limit, default: 0] += 1
            untold += 1
        } else {
            running[rule, default: 0] += 1
            started += 1
        }
        return limit
    }

    package mutating func ended(_ rule: Int) {
        // Rules come and go with the configuration.
        let left = running[rule, default: 1] - 1
        running[rule] = left > 0 ? left : nil
    }

    /// The number of dropped events to report now. Nil: none, or it is too early for another report.
    package mutating func takeUntold(at now: Instant) -> Int? {
        if let told, now < told + Self.tellingPause { return nil }
        guard untold > 0 else { return nil }
        defer { (untold, told) = (0, now) }
        return untold
    }
}
