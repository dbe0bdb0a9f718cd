import Glibc
import NIOCore
import NIOPosix
import Rig

/// A loop whose thread is in the network namespace of one of two hosts: its sockets open there.
struct NetworkHost {
    struct Refused: Error { let code: CInt }

    let host: HostPair.Host
    let loop: any EventLoop
    private let group: MultiThreadedEventLoopGroup

    init(_ host: HostPair.Host) async throws {
        self.host = host
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
        let file = "/run/netns/" + host.namespace
        try await loop.submit {
            let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Refused(code: errno) }
            defer { Glibc.close(descriptor) }
            guard Self.enter(descriptor) == 0 else { throw Refused(code: errno) }
        }.get()
    }

    /// setns(2) with CLONE_NEWNET. The headers hide it from Swift.
    private static func enter(_ descriptor: CInt) -> CInt {
        typealias Setns = @convention(c) (CInt, CInt) -> CInt
        guard let symbol = unsafe dlsym(nil, "setns") else { return -1 }
        return unsafe unsafeBitCast(symbol, to: Setns.self)(descriptor, 0x4000_0000)
    }

    func close() async throws { try await group.shutdownGracefully() }
}
