import Glibc
import Synchronization

/// A tiny file system, visible only to the test's thread and its child threads. It needs the right to mount.
enum TinyDisk {
    static let isPossible = run(kibibytes: 64, at: "/tmp") { true } != nil

    /// - Returns: nil, when the file system cannot be made.
    static func run<Result: Sendable>(
        kibibytes: Int, at folder: String, _ body: @escaping @Sendable () -> Result
    ) -> Result? {
        let work = Work(kibibytes: kibibytes, folder: folder, body: body)
        let opaque = unsafe Unmanaged.passRetained(work as Work).toOpaque()
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { opaque in
                if let opaque = unsafe opaque { unsafe Unmanaged<Work>.fromOpaque(opaque).takeRetainedValue().run() }
                return nil
            }, opaque)
        guard code == 0 else { return nil }
        pthread_join(thread, nil)
        return work.result.withLock { $0 } as? Result
    }

    private final class Work: Sendable {
        let kibibytes: Int
        let folder: String
        let body: @Sendable () -> any Sendable
        let result = Mutex<(any Sendable)?>(nil)

        init(kibibytes: Int, folder: String, body: @escaping @Sendable () -> any Sendable) {
            (self.kibibytes, self.folder, self.body) = (kibibytes, folder, body)
        }

        /// unshare(2), which Swift does not see: this thread has its own mounts and working folder.
        private static func leaveMounts() -> Int32 {
            guard let symbol = unsafe dlsym(nil, "unshare") else { return -1 }
            let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
            let (namespace, folder) = (Int32(0x2_0000), Int32(0x200))
            return unshare(namespace | folder)
        }

        func run() {
            guard Self.leaveMounts() == 0,
                unsafe mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
                unsafe mount("tmpfs", folder, "tmpfs", 0, "size=\(kibibytes)k") == 0
            else { return }
            let value = body()
            result.withLock { $0 = value }
        }
    }
}
