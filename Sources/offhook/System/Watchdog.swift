import Base
import Glibc
import Logging
import NIOCore
import Platform
import Synchronization

/// Checks that every thread of the phone works, and reports to the service manager that the phone is alive.
///
/// Runs on the control loop. While a vital thread hangs, the phone restarts as soon as there is no call. For example, a
/// dead sound server blocks the audio thread for ever, and only a new process has sound. During a call, or if the control
/// loop itself hangs, the pings stop, and the service manager restarts the phone (`WatchdogSec=`).
/// - SeeAlso: sd_watchdog_enabled(3)
final class Watchdog: Sendable {
    /// The interval between checks without a service manager.
    private static let usualPeriod = TimeAmount.seconds(10)

    /// Nil: no service manager watches this process.
    private let notifier: SystemdNotifier?
    private let period: TimeAmount
    private let log: Logger
    private let isStopped = Atomic<Bool>(false)

    init(_ notifier: SystemdNotifier?, log: Logger) {
        self.log = log
        guard let notifier, let text = Environment["WATCHDOG_USEC"], let limit = Int64(text), limit > 0,
            Environment["WATCHDOG_PID"].map({ $0 == "\(getpid())" }) ?? true
        else {
            (self.notifier, period) = (nil, Self.usualPeriod)
            return
        }
        self.notifier = notifier
        // Three messages fit into the limit, so that one late message does not end calls.
        period = .microseconds(max(1_000, limit / 3))
    }

    /// - Parameter isAtRest: Whether there is no call, on the loop.
    func start(on loop: any EventLoop, asking probes: [ThreadProbe], isAtRest: @escaping @Sendable () -> Bool) {
        let judge = NIOLoopBoundBox.makeBoxSendingValue(ThreadJudge(), eventLoop: loop)
        loop.scheduleRepeatedTask(initialDelay: .zero, delay: period) { [self] task in
            guard !isStopped.load(ordering: .relaxed) else { return task.cancel() }
            let now = MonotonicClock.now()
            for news in judge.value.take(probes.map { ThreadAnswer($0, at: now) }, at: now) { tell(news) }
            if judge.value.isToStartAgain(at: now, isAtRest: isAtRest()) { TerminationSignals.askForRestart() }
            guard judge.value.isAlive, let notifier else { return }
            do {
                try notifier.send("WATCHDOG=1", mayWait: false)
            } catch {
                log.warning("cannot send WATCHDOG=1 to the service manager: \(error)")
            }
        }
    }

    /// Called when the phone stops and its threads end. From any thread.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func tell(_ news: ThreadJudge.News) {
        switch news {
        case .hangs(let thread, isVital: true):
            log.error("the thread \(thread) does not answer: the phone restarts when there is no call")
        case .hangs(let thread, isVital: false):
            log.error("the thread \(thread) has not answered for a minute; it may wait for a disk, a bus or a program")
        case .answers(let thread): log.notice("the thread \(thread) answers again")
        }
    }
}

/// A thread's reaction to the previous check.
package struct ThreadAnswer: Equatable, Sendable {
    let thread: String
    let isVital: Bool
    /// The time of the oldest unanswered check; nil if all are answered.
    let unansweredSince: Instant?

    package init(thread: String, isVital: Bool, unansweredSince: Instant?) {
        (self.thread, self.isVital, self.unansweredSince) = (thread, isVital, unansweredSince)
    }

    /// Checks the thread again.
    fileprivate init(_ probe: ThreadProbe, at now: Instant) {
        self.init(thread: probe.name, isVital: probe.isVital, unansweredSince: probe.ask(at: now))
    }
}

/// Decides from the threads' answers whether the phone is alive, and which changes to report. Pure.
package struct ThreadJudge: Sendable {
    package enum News: Equatable, Sendable {
        case hangs(String, isVital: Bool)
        case answers(String)
    }

    /// How long a slow disk may block a thread that is not vital.
    private static let patience = Duration.seconds(60)
    /// How long a vital thread may stand still.
    private static let stall = Duration.seconds(10)

    private var hanging: Set<String> = []
    /// The time since which a vital thread has not answered.
    private var stuckSince: Instant?
    /// Whether a restart was already requested. The phone continues if its files do not load.
    private var wasToStartAgain = false
    /// Whether all vital threads have answered the previous check.
    package private(set) var isAlive = true

    package init() {}

    /// Whether the phone must restart now. True once.
    /// - Parameter isAtRest: Asked only if a thread hangs, because the answer takes a snapshot of the phone.
    package mutating func isToStartAgain(at now: Instant, isAtRest: @autoclosure () -> Bool) -> Bool {
        guard let stuckSince, now - stuckSince >= Self.stall, !wasToStartAgain, isAtRest() else { return false }
        wasToStartAgain = true
        return true
    }

    package mutating func take(_ answers: [ThreadAnswer], at now: Instant) -> [News] {
        stuckSince = answers.compactMap { $0.isVital ? $0.unansweredSince : nil }.min()
        isAlive = stuckSince == nil
        return answers.compactMap { answer in
            let silence = answer.unansweredSince.map { now - $0 }
            let hangs = silence.map { answer.isVital || $0 >= Self.patience } ?? false
            if hangs {
                return hanging.insert(answer.thread).inserted ? .hangs(answer.thread, isVital: answer.isVital) : nil
            }
            guard silence == nil else { return nil }
            return hanging.remove(answer.thread) == nil ? nil : .answers(answer.thread)
        }
    }
}

/// Reports the phone's state to systemd. Each message is one datagram to the socket that systemd named.
/// - SeeAlso: sd_notify(3)
struct SystemdNotifier: Sendable {
    /// How long a busy service manager may delay a datagram before the phone goes on without it.
    private static let timeout = timeval(tv_sec: 0, tv_usec: 100_000)

    private let path: String

    /// Nil when no service manager wants notifications.
    init?(environment name: String = "NOTIFY_SOCKET") {
        guard let path = Environment[name], !path.isEmpty else { return nil }
        self.path = path
    }

    /// Blocks for 100 ms at most, and not at all if `mayWait` is false.
    func send(_ message: String, mayWait: Bool = true) throws(CommandError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        guard path.hasPrefix("/") || path.hasPrefix("@"), name.count < MemoryLayout.size(ofValue: address.sun_path)
        else { throw CommandError("NOTIFY_SOCKET is not the path of a Unix socket: \(path)") }
        if name.first == UInt8(ascii: "@") { name[0] = 0 }  // An abstract socket.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
        defer { close(descriptor) }
        var timeout = Self.timeout
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(message.utf8)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe sendto(
                    descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | (mayWait ? 0 : Int32(MSG_DONTWAIT)), generic,
                    length)
            }
        }
        guard sent == bytes.count else { throw CommandError("\(path): \(SystemError.last)") }
    }
}
