import Base
import EventLog
import Glibc
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

/// The event log's file and the previous one, whose name ends in `.1`. Owned by one thread.
///
/// Only the owner may read them. The log never replaces or follows any other file with one of these names.
struct EventLogDisk: ~Copyable {
    private let path: String
    private var file: FileDescriptor

    /// Keeps an existing event log as the previous one, and starts an empty one.
    init(path: String) throws(CommandError) {
        _ = try Self.size(ofReplaceable: path + ".1")
        switch try Self.size(ofReplaceable: path) {
        case nil: break
        // An empty file is left from a failed start. It must not displace the event log of the crash before it.
        case .some(0): _ = unsafe unlink(path)
        case .some: try Self.setAside(path)
        }
        self.init(path: path, file: try Self.begin(path))
    }

    // Swift 6.2 destroys a value twice when an initialiser of a noncopyable type fails. So this one cannot fail.
    private init(path: String, file: consuming FileDescriptor) {
        self.path = path
        self.file = file
    }

    mutating func perform(_ order: EventLogWriter.Order) throws(CommandError) {
        switch order {
        case .append(let bytes): try append(bytes)
        case .turnOver:
            try Self.setAside(path)
            file = try Self.begin(path)
        }
    }

    private static func setAside(_ path: String) throws(CommandError) {
        let older = path + ".1"
        guard unsafe rename(path, older) == 0 else { throw CommandError("\(older): \(SystemError.last)") }
    }

    private static func begin(_ path: String) throws(CommandError) -> FileDescriptor {
        try FileDescriptor(named: path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, mode: 0o600)
    }

    /// On a full disk, half a line remains at the end. A replay expects this, as after a crash.
    private func append(_ bytes: [UInt8]) throws(CommandError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe write(file.number, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandError("\(path): \(SystemError.last)") }
            written += count
        }
    }

    /// The size of an event log or an empty file; nil if the file does not exist.
    private static func size(ofReplaceable path: String) throws(CommandError) -> Int? {
        // Open without blocking, so that a named pipe cannot hold up the start.
        let opened = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        if opened < 0, errno == ENOENT { return nil }
        guard opened >= 0 else {
            throw CommandError(
                "\(path): \(errno == ELOOP ? "the event log must not be a symbolic link" : SystemError.last)")
        }
        let file = FileDescriptor(owning: opened)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw CommandError("\(path): \(SystemError.last)") }
        var start = [UInt8](repeating: 0, count: EventLogFormat.opening.count)
        guard status.st_mode & S_IFMT == S_IFREG, unsafe read(file.number, &start, start.count) >= 0,
            status.st_size == 0 || start == EventLogFormat.opening
        else { throw CommandError("\(path): not replaced, because it is no event log of a phone; name another file") }
        return Int(status.st_size)
    }
}
