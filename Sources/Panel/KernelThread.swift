import CGPIO
import Glibc

/// A thread of the kernel with a name, for work that waits in system calls.
struct KernelThread: Sendable {
    private final class Work: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let thread: pthread_t

    /// - Parameter name: At most 15 bytes, as the kernel keeps no more.
    init(name: String, run: @escaping @Sendable () -> Void) {
        precondition(name.utf8.count <= 15, "the kernel keeps 15 bytes of a name")
        let work = unsafe Unmanaged.passRetained(Work(name: name, run: run))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { raw in
                guard let raw = unsafe raw else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(raw).takeRetainedValue()
                unsafe cgpio_name_thread(work.name)
                work.run()
                return nil
            }, work.toOpaque())
        precondition(result == 0, "no memory for a thread")
        self.thread = thread
    }

    /// Blocks until the work is done. Once.
    func join() { _ = pthread_join(thread, nil) }
}
