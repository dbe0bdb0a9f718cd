import Base
import CProcess
import Glibc

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
