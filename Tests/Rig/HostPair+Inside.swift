import Foundation
import Glibc

extension HostPair.Host {
    public struct Refused: Error { let code: CInt }

    /// Runs code on this host: its sockets open here, and its threads live here.
    public func inside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let file = "/run/netns/" + namespace
        return try await withCheckedThrowingContinuation { continuation in
            // A separate thread, which ends with its namespace.
            Thread {
                continuation.resume(
                    with: Result {
                        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
                        guard descriptor >= 0 else { throw Refused(code: errno) }
                        defer { close(descriptor) }
                        guard Self.enter(descriptor) == 0 else { throw Refused(code: errno) }
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
