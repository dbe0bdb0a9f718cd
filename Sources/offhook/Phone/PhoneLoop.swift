import Base
import EventLog
import NIOCore
import PhoneCore
import Platform
import Synchronization
import Turns

/// The one loop: event → `PhoneMachine` → effects, on the control thread, in one order.
///
/// Any thread may post; only the control loop handles events. The bounded queue keeps events that must not be lost.
/// When it is full of such events, it drops the newest and counts it in `lost`.
final class PhoneLoop: Sendable {
    /// Far more events than a call causes in a second. Only a flood reaches this number.
    private static let capacity = 4_096

    private struct Inbox: Sendable {
        var events = BoundedQueue<PhoneEvent>(capacity: capacity, isRepeatable: PhoneLoop.isRepeatable)
        var isDraining = false
    }

    /// State of the control loop only.
    private struct Confined {
        var machine: PhoneMachine
        var perform: (PhoneEffect) -> Void = { _ in }
        let budget: TurnBudget
        var alarm: (due: Instant, task: Scheduled<Void>)?
    }

    private let loop: any EventLoop
    private let eventLog: EventLogThread?
    private let inbox = Mutex(Inbox())
    private let confined: NIOLoopBoundBox<Confined>

    /// - Parameter eventLog: Records every step.
    init(policy: PhonePolicy, loop: any EventLoop, eventLog: EventLogThread?) {
        (self.loop, self.eventLog) = (loop, eventLog)
        confined = .makeBoxSendingValue(
            Confined(machine: PhoneMachine(policy: policy), budget: TurnBudget(loop: loop)), eventLoop: loop)
    }

    /// Events that were dropped because the queue was full.
    var lost: Int { inbox.withLock { $0.events.lost } }

    /// Statistics of the loop's turns. On the control loop.
    var turns: TurnBudget.Statistics { confined.value.budget.statistics }

    /// Whether there is no call. On the control loop.
    var isAtRest: Bool { confined.value.machine.snapshot.calls.isEmpty }

    /// The display's content in every language. On the control loop.
    var displays: [DisplayLanguage: DisplayContent] { confined.value.machine.displays }

    /// The accounts that have a call. On the control loop.
    var accountsInCall: Set<AccountID> { Set(confined.value.machine.snapshot.calls.map(\.account)) }

    /// Sets the function that carries out effects. Called on the control loop, once, before the first event.
    func start(performing perform: @escaping (PhoneEffect) -> Void) { confined.value.perform = perform }

    /// Appends an event. From any thread; blocks only while appending.
    /// - Returns: False if the queue is full of events that must not be lost, and lost this one.
    @discardableResult
    func post(_ event: PhoneEvent) -> Bool {
        let (isKept, mustWake) = inbox.withLock { inbox in
            let admission = inbox.events.push(event)
            defer { inbox.isDraining = true }
            return (admission != .refused, !inbox.isDraining)
        }
        if mustWake { loop.execute { self.drain() } }
        return isKept
    }

    /// Handles the events, each as a separate piece of work. So a flood of them does not starve the sockets.
    private func drain() {
        confined.value.budget.runAll { [self] in
            // Once the queue is empty, the next post wakes the loop again.
            let next = inbox.withLock { inbox in
                let event = inbox.events.pop()
                if event == nil { inbox.isDraining = false }
                return event
            }
            guard let event = next else {
                arm()
                return false
            }
            let now = MonotonicClock.now()
            let before = eventLog.map { _ in confined.value.machine }
            let effects = confined.value.machine.handle(event, at: now)
            if let before { eventLog?.append(Happening(before: before, event, at: now, effects: effects)) }
            for effect in effects { confined.value.perform(effect) }
            return true
        }
    }

    /// Sets the one timer to the machine's deadline.
    private func arm() {
        let due = confined.value.machine.deadline
        guard due != confined.value.alarm?.due else { return }
        confined.value.alarm?.task.cancel()
        confined.value.alarm = due.map { due in
            let wait = max(.zero, due - MonotonicClock.now())
            let task = loop.scheduleTask(in: .nanoseconds(wait.nanoseconds)) {
                self.confined.value.alarm = nil
                self.post(.deadline)
            }
            return (due, task)
        }
    }

    /// Whether a later event will repeat the information.
    private static func isRepeatable(_ event: PhoneEvent) -> Bool {
        switch event {
        case .deadline, .clock, .media(.quality): true
        case .panel, .line, .media, .vault, .network, .callerInfo, .backend, .request, .policyChanged, .shutDown:
            false
        }
    }
}
