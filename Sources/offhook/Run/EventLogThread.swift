import Base
import Glibc
import EventLog
import Platform
import Synchronization

/// Writes the control thread's steps to the event log, on its own thread. It may lose steps or end; the phone never
/// waits for it.
final class EventLogThread: Sendable {
    /// Steps that can wait for a slow disk: many seconds of calls, and about a megabyte.
    private static let capacity = 1_024

    private struct Inbox: Sendable {
        var queue = EventLogQueue(capacity: capacity)
        /// No more steps are accepted: the phone stops, or the disk failed.
        var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    private let wakeSignal: WakeSignal
    private let thread = Mutex<NamedThread?>(nil)
    private let options: EventLogOptions.Values
    private let tell: @Sendable (String) -> Void
    private let fault: @Sendable (String?) -> Void
    /// The pause before another attempt to open the file.
    private static let retry = Duration.seconds(3)

    /// Starts the thread, which creates the file and keeps an existing one as the previous one. If the file cannot be
    /// created, the thread retries, because no call needs it.
    /// - Parameters:
    ///   - tell: Called on the event log's thread with texts for people.
    ///   - fault: Called there with the reason why nothing is written at present, and with nil after recovery.
    init(
        _ options: EventLogOptions.Values, tell: @escaping @Sendable (String) -> Void,
        fault: @escaping @Sendable (String?) -> Void
    ) throws(CommandError) {
        (self.options, self.tell, self.fault) = (options, tell, fault)
        do throws(SystemFailure) { wakeSignal = try WakeSignal() } catch { throw CommandError("\(error)") }
        try start()
    }

    /// Called on the control thread. Copies the step and never blocks. If there is no room, the step counts as lost.
    func append(_ happening: Happening) {
        let isNews = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            defer { inbox.queue.put(happening) }
            return inbox.queue.isEmpty
        }
        if isNews { wakeSignal.raise() }
    }

    /// Writes the waiting steps and closes the file. Waits for the disk.
    func close() {
        inbox.withLock { $0.isClosed = true }
        wakeSignal.raise()
        if let thread = thread.withLock({ $0.take() }) { thread.join() }
    }

    private func start() throws(CommandError) {
        do throws(SystemFailure) {
            let thread = try NamedThread(.eventLog) { self.run() }
            self.thread.withLock { $0 = thread }
        } catch {
            throw CommandError("\(error)")
        }
    }

    private func run() {
        var lost = 0
        defer { if lost > 0 { tell("the event log lost \(lost) events: they came faster than the disk could write") } }
        guard var disk = open() else { return }
        var writer = EventLogWriter(program: ProgramVersion.text, limit: options.limit, privacy: options.privacy)
        do {
            while let item = next() {
                if case .lost(let count) = item { lost += count }
                for order in try writer.write(item) { try disk.perform(order) }
            }
        } catch {
            inbox.withLock { inbox in
                inbox.isClosed = true
                while inbox.queue.take() != nil {}
            }
            tell("the event log ended and records nothing more: \(error)")
        }
    }

    /// Opens the file, retrying after failures. Nil: the phone ended first.
    private func open() -> EventLogDisk? {
        var told: String?
        while !inbox.withLock({ $0.isClosed }) {
            do throws(CommandError) {
                let disk = try EventLogDisk(path: options.path)
                if told != nil { fault(nil) }
                return disk
            } catch {
                let reason = "the event log cannot be written: \(error)"
                if told != reason {
                    tell("\(reason); retrying every few seconds; calls are not affected")
                    fault(reason)
                }
                told = reason
            }
            let next = MonotonicClock.now() + Self.retry
            // Events also wake the thread.
            while MonotonicClock.now() < next, !inbox.withLock({ $0.isClosed }) { wakeSignal.wait(until: next) }
        }
        return nil
    }

    /// The next item; sleeps until there is one. Nil at the end.
    private func next() -> EventLogQueue.Item? {
        while true {
            let (item, isClosed) = inbox.withLock { ($0.queue.take(), $0.isClosed) }
            if item != nil || isClosed { return item }
            wakeSignal.wait(until: nil)
        }
    }
}
