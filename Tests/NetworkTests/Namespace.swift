import Foundation
import Glibc
import Rig

/// Does something on one of two hosts: what it opens is opened there, and threads that it starts live there.
enum Namespace {
    struct Refused: Error { let code: CInt }

    static func on<Value: Sendable>(
        _ host: HostPair.Host, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let file = "/run/netns/" + host.namespace
        return try await withCheckedThrowingContinuation { continuation in
            // A thread of its own, which is gone with its namespace.
            Thread {
                continuation.resume(
                    with: Result {
                        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
                        guard descriptor >= 0 else { throw Refused(code: errno) }
                        defer { close(descriptor) }
                        guard enter(descriptor) == 0 else { throw Refused(code: errno) }
                        return try work()
                    })
            }.start()
        }
    }

    /// setns(2) with CLONE_NEWNET. The headers hide it from Swift.
    private static func enter(_ descriptor: CInt) -> CInt {
        typealias Setns = @convention(c) (CInt, CInt) -> CInt
        guard let symbol = dlsym(nil, "setns") else { return -1 }
        return unsafeBitCast(symbol, to: Setns.self)(descriptor, 0x4000_0000)
    }
}
