import NIOCore
import NIOPosix

/// Looks names up on a thread of its own, because the system's resolver blocks. Confined to its loop.
final class Resolver {
    /// Names looked for at once; more than a line ever needs.
    private static let limit = 16

    private let loop: any EventLoop
    /// Made when the first name comes: most lines know only numbers.
    private var pool: NIOThreadPool?
    private var pending = 0

    init(loop: any EventLoop) { self.loop = loop }

    /// - Parameter found: Called on the loop, later: the first address, or nil.
    func resolve(_ host: String, isIPv6: Bool, found: @escaping (String?) -> Void) {
        guard pending < Self.limit else { return found(nil) }
        pending += 1
        let done = NIOLoopBound((self, found), eventLoop: loop)
        threads().runIfActive(eventLoop: loop) { SystemSocket.resolve(host, isIPv6: isIPv6) }.whenComplete { result in
            let (resolver, found) = done.value
            resolver.pending -= 1
            switch result {
            case .success(let host): found(host)
            case .failure: found(nil)
            }
        }
    }

    func close() {
        pool?.shutdownGracefully { _ in }
        pool = nil
    }

    private func threads() -> NIOThreadPool {
        if let pool { return pool }
        let fresh = NIOThreadPool(numberOfThreads: 1)
        fresh.start()
        pool = fresh
        return fresh
    }
}
