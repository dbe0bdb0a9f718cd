import Base
import CProcess
import Glibc
import Synchronization

/// Every thread that the program starts: its name for `top` and debuggers, its scheduling, its work, and what it may
/// wait for. Such a thread is made from its role. swift-nio starts two more, which `table` has as well.
public enum ThreadRole: String, CaseIterable, Sendable {
    case mediaAudio = "media-audio"
    case mediaNetwork = "media-network"
    case mediaRinger = "media-ringer"
    case panel
    case display
    case vault
    case http
    case mediaEvents = "media-events"
    case mediaDevices = "media-devices"
    case mediaRecorder = "media-recorder"
    case mediaPlayer = "media-player"
    case mediaRings = "media-rings"
    case mediaConnections = "media-connect"
    case mediaNames = "media-names"
    case eventLog = "event-log"
    case programs
    case network
    case callerInfo = "caller-info"
    case setup

    /// The priority of SCHED_FIFO, 1...99, where the system permits it; nil: normal scheduling.
    public var priority: Int32? {
        switch self {
        // These are below the kernel's own threads and above every thread that does not handle sound. The sound device
        // does not wait, and the audio thread also receives and sends the packets of its calls. Other packets may wait.
        case .mediaAudio: 20
        case .http: nil
        case .mediaNetwork: 19
        case .mediaRinger, .panel, .display, .vault, .mediaEvents, .mediaDevices, .mediaRecorder, .mediaPlayer,
            .mediaRings, .mediaConnections, .mediaNames,
            .eventLog, .programs, .network, .callerInfo, .setup:
            nil
        }
    }

    /// The size of the stack; nil: the system's default, usually 8 MB.
    var stackBytes: Int? {
        switch self {
        case .http: 512 * 1_024
        // Enough for libopus, which keeps its scratch memory on the stack.
        case .mediaAudio, .mediaNetwork, .mediaRinger, .mediaEvents, .mediaDevices, .mediaRecorder, .mediaPlayer,
            .mediaRings, .mediaConnections, .mediaNames, .programs, .network, .callerInfo, .display:
            512 * 1_024
        case .panel, .vault, .eventLog, .setup: nil
        }
    }

    /// The thread's work, the time that it has for it, and what it may wait for.
    fileprivate var words: (runs: String, budget: String, waits: String) {
        switch self {
        case .mediaAudio:
            (
                "both directions of the sound device and of voice, codec, SRTP, jitter buffer, tones", "a quantum",
                "the sound device"
            )
        case .mediaNetwork: ("RTCP, pages, voice of calls without sound", "a packet", "its sockets")
        case .mediaRinger: ("the ringer's own device, if there is one", "a period", "the sound device")
        case .panel: ("edges, debounce, key scan, lamp and bell cadences", "a key scan", "the kernel")
        case .display: ("the display, if there is one", "none", "the bus")
        case .vault: ("SQLite, sealing, fsync", "none", "the disk")
        case .http: ("requests to web servers by libcurl, from the first one on", "none", "servers, authorities' files")
        case .mediaEvents: ("reports of the audio threads; libsrtp's start with the first call", "none", "locks")
        case .mediaDevices: ("opening and closing sound devices", "none", "the sound device")
        case .mediaRecorder: ("recordings of calls, if allowed", "2.7 s", "the disk")
        case .mediaPlayer: ("files played into calls, if allowed", "a file's buffer", "the disk")
        case .mediaRings: ("reads ring and hold music files, once", "none", "the disk")
        case .mediaConnections: ("call paths (ICE, TURN) and DTLS handshakes", "50 ms", "nothing")
        case .mediaNames: ("names of STUN and TURN servers, if any", "none", "DNS")
        case .eventLog: ("the event log of `run --record`", "1,024 events", "the disk")
        case .programs: ("starts and ends programs of `on_event`, if any", "none", "the programs")
        case .network: ("reads the network path after kernel notifications", "none", "the kernel")
        case .callerInfo: ("libmosquitto's connection to the broker, if there is one", "none", "DNS, the machine")
        case .setup:
            (
                "a check or trial of setup, while it runs; a trial at a server has its own event loop", "none",
                "servers, the sound device"
            )
        }
    }

    /// All threads as a Markdown table. swift-nio starts and names the first two: the event loop, and the one pool
    /// thread in which `Lines` queries DNS.
    public static var table: [String] {
        let head = ["| thread | runs | scheduling | budget | may wait for |", "|---|---|---|---|---|"]
        let control =
            "| `NIO-ELT-0-#0` (control) | the machine, `Lines`, `Control`, all `perform` calls | normal | 5 ms | nothing, except libsrtp's start (30 ms) if the first call is answered at once |"
        let names =
            "| `TP-#0` | DNS queries, from the first name on | normal | none | DNS |"
        return head + [control, names]
            + allCases.map { role in
                let words = role.words
                let scheduling = role.priority.map { "FIFO \($0)" } ?? "normal"
                return "| `\(role.rawValue)` | \(words.runs) | \(scheduling) | \(words.budget) | \(words.waits) |"
            }
    }
}

/// A thread of the kernel with a name, for work that waits in system calls. It is joined or detached, once.
@safe
public final class NamedThread: Sendable {
    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let handle: pthread_t

    /// A thread with a role. It asks for its own priority by `becomeRealTime`.
    public convenience init(_ role: ThreadRole, body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        try self.init(name: role.rawValue, stackBytes: role.stackBytes, body: body)
    }

    /// - Parameters:
    ///   - name: At most 15 bytes, because the kernel keeps no more.
    ///   - stackBytes: Nil: the system's default, usually 8 MB.
    package init(
        name: String, stackBytes: Int? = nil, body: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        precondition(name.utf8.count <= 15, "the kernel keeps 15 bytes of a name")
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        if let stackBytes { unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
        var handle = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(name: name, body: body))
        let failure = unsafe pthread_create(&handle, &attributes, { unsafe NamedThread.run($0) }, work.toOpaque())
        guard failure == 0 else {
            unsafe work.release()
            throw SystemFailure("the thread \(name) cannot be started", failure)
        }
        self.handle = handle
    }

    /// Waits until the thread has ended. Call it once.
    public func join() { pthread_join(handle, nil) }

    /// Waits until the thread has ended, but not beyond the deadline. Then the thread is abandoned: it hangs in a
    /// library or in the kernel. Call it once.
    /// - Returns: Whether it has ended.
    public func join(by deadline: Instant) -> Bool {
        guard cprocess_join(handle, deadline.nanoseconds) != 0 else { return true }
        detach()
        return false
    }

    /// Lets the thread end without a join, because it may wait in a call that nothing can interrupt, such as DNS.
    public func detach() { pthread_detach(handle) }

    /// Asks for SCHED_FIFO for the calling thread.
    /// - Parameter priority: 1...99.
    /// - Returns: nil, or the reason of the refusal (`errno`).
    public static func becomeRealTime(priority: Int32) -> Int32? {
        var parameters = sched_param(sched_priority: priority)
        let failure = unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        return failure == 0 ? nil : failure
    }

    /// Runs `body` on the calling thread under SCHED_FIFO where the system permits it, else under its normal
    /// scheduling.
    /// - Parameter priority: 1...99.
    public static func asRealTime<Failure: Error>(
        priority: Int32, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        var policy: Int32 = SCHED_OTHER
        var parameters = sched_param()
        let isKnown = unsafe pthread_getschedparam(pthread_self(), &policy, &parameters) == 0
        let isRealTime = isKnown && becomeRealTime(priority: priority) == nil
        defer { if isRealTime { _ = unsafe pthread_setschedparam(pthread_self(), policy, &parameters) } }
        try body()
    }

    private static func run(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let opaque = unsafe opaque else { return nil }
        let work = unsafe Unmanaged<Work>.fromOpaque(opaque).takeRetainedValue()
        // The name is for `top` and debuggers. A process that hides its memory cannot set it through /proc.
        _ = unsafe cprocess_name_thread(work.name)
        work.body()
        return nil
    }
}

/// A question to a thread whether it still works. The thread answers whenever it begins a turn of its loop.
///
/// `ask` may be called from any thread. `answer` costs one atomic load while nobody asks, so a real-time thread may call
/// it in every turn.
public final class ThreadProbe: Sendable {
    /// The thread's name, as `top` shows it.
    public let name: String
    /// Whether the phone must restart when this thread hangs. Other threads wait for a disk, which may be slow.
    public let isVital: Bool
    /// When the oldest unanswered question was asked, in nanoseconds of the monotonic clock; 0: all are answered.
    private let asked = Atomic<Int64>(0)
    private let answered = Atomic<Int64>(0)
    /// The thread has ended on purpose.
    private let isRetired = Atomic<Bool>(false)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Wakes the thread. It must not block.
    public init(name: String, isVital: Bool, wake: @escaping @Sendable () -> Void) {
        (self.name, self.isVital, self.wake) = (name, isVital, wake)
    }

    public convenience init(_ role: ThreadRole, wake: @escaping @Sendable () -> Void) {
        self.init(name: role.rawValue, isVital: role.isVital, wake: wake)
    }

    /// Asks, and wakes the thread.
    /// - Returns: When the oldest unanswered question was asked, before this one; nil: the thread has answered all.
    @discardableResult
    public func ask(at now: Instant) -> Instant? {
        guard !isRetired.load(ordering: .relaxed) else { return nil }
        let oldest = asked.load(ordering: .acquiring)
        if oldest == 0 { asked.store(now.nanoseconds, ordering: .releasing) }
        wake()
        return oldest == 0 ? nil : Instant(nanoseconds: oldest)
    }

    /// Called by the thread itself.
    /// - Returns: Whether somebody had asked.
    @discardableResult
    public func answer() -> Bool {
        guard asked.load(ordering: .acquiring) != 0 else { return false }
        answered.store(MonotonicClock.now().nanoseconds, ordering: .relaxed)
        asked.store(0, ordering: .releasing)
        return true
    }

    /// Called by the thread itself when it ends: its answers are no longer expected.
    public func retire() {
        isRetired.store(true, ordering: .relaxed)
        answer()
    }

    /// When the thread last answered; nil: never. A retired thread counts as answering now.
    public var lastAnswer: Instant? {
        if isRetired.load(ordering: .relaxed) { return MonotonicClock.now() }
        let nanoseconds = answered.load(ordering: .relaxed)
        return nanoseconds == 0 ? nil : Instant(nanoseconds: nanoseconds)
    }
}

extension ThreadRole {
    /// Whether the phone is restarted when this thread hangs. Threads that wait for a disk are only named in the log,
    /// because calls work without them.
    var isVital: Bool {
        switch self {
        case .mediaAudio, .mediaNetwork, .mediaRinger, .panel, .mediaEvents, .mediaDevices, .mediaConnections, .network:
            true
        case .display, .vault, .mediaRecorder, .mediaPlayer, .mediaRings, .mediaNames, .eventLog, .programs,
            .callerInfo, .http, .setup:
            false
        }
    }
}
