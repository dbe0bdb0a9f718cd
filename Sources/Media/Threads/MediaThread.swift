import CProcess
import Glibc

/// One of our threads: named, joined exactly once, at real-time priority where the system permits it.
@safe
final class MediaThread: Sendable {
    /// Enough for libopus, which keeps its scratch memory on the stack.
    private static let stackBytes = 512 * 1_024

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let handle: pthread_t

    /// - Parameter name: at most 15 bytes, as the kernel shows it.
    init(name: String, body: @escaping @Sendable () -> Void) throws(MediaError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, Self.stackBytes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        var handle = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(name: name, body: body))
        let failure = unsafe pthread_create(&handle, &attributes, { unsafe MediaThread.run($0) }, work.toOpaque())
        guard failure == 0 else {
            unsafe work.release()
            throw .system("the thread \(name) cannot be started", failure)
        }
        self.handle = handle
    }

    /// Waits for its end. Once.
    func join() { pthread_join(handle, nil) }

    /// Asks for SCHED_FIFO for the calling thread.
    /// - Returns: nil, or why it was refused (`errno`).
    static func becomeRealTime(priority: Int32) -> Int32? {
        var parameters = sched_param(sched_priority: priority)
        let failure = unsafe pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        return failure == 0 ? nil : failure
    }

    /// Names the calling thread for `top` and debuggers. /proc would not let a process do so that hides its memory.
    private static func name(_ name: String) { _ = unsafe cprocess_name_thread(name) }

    private static func run(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let opaque = unsafe opaque else { return nil }
        let work = unsafe Unmanaged<Work>.fromOpaque(opaque).takeRetainedValue()
        name(work.name)
        work.body()
        return nil
    }
}
