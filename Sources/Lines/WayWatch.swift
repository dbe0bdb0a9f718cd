import NIOCore
import SIPCore

/// Looks now and then whether this machine has a way to the account's server, and from which address of its own.
///
/// A telephone that waits for its server's next question would learn of another address when the registration is
/// renewed, in minutes, and of a cable that is in again when the next attempt is due. To look costs four system calls and
/// says nothing to anybody. Confined to its loop.
final class WayWatch {
    /// How a server is reached.
    private struct Way: Equatable {
        /// The own address; nil: there is no way.
        let host: String?
        let isCarrying: Bool

        var isUsable: Bool { host != nil && isCarrying }
    }

    /// A server whose path is back hears of us within this and a round trip.
    private static let interval = TimeAmount.seconds(2)
    /// Places of the server that are looked at.
    private static let limit = 2

    private let loop: any EventLoop
    private let own: (Flow.Endpoint) throws(SystemSocket.Failure) -> String
    private let changed: () -> Void
    private var servers: [Flow.Endpoint] = []
    /// The last ones of which one could be used.
    private var ways: [Way] = []
    /// Whether nothing could be sent since the last look, or there was no way at it.
    private var isStranded = false
    private var task: RepeatedTask?

    /// - Parameters:
    ///   - own: The address from which a far end is reached.
    ///   - changed: There is a way where there was none, or another one than before.
    init(
        loop: any EventLoop, own: @escaping (Flow.Endpoint) throws(SystemSocket.Failure) -> String,
        changed: @escaping () -> Void
    ) {
        (self.loop, self.own, self.changed) = (loop, own, changed)
    }

    func start() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        task = loop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in bound.value.look() }
    }

    func stop() { task?.cancel() }

    /// The server is found here. Nowhere: the search is to begin again at the next look that finds a way.
    func found(_ places: [Flow.Endpoint]) {
        guard !places.isEmpty else { return isStranded = true }
        let places = Array(places.prefix(Self.limit))
        guard places != servers else { return }
        servers = places
        ways = glance()
    }

    /// This machine did not send something there.
    func refused(to remote: Flow.Endpoint) {
        if servers.contains(remote) { isStranded = true }
    }

    private func look() {
        let now = glance()
        guard servers.isEmpty || now.contains(where: \.isUsable) else { return isStranded = true }
        guard isStranded || now != ways else { return }
        (isStranded, ways) = (false, now)
        changed()
    }

    private func glance() -> [Way] {
        servers.map { server in
            do throws(SystemSocket.Failure) {
                let host = try own(server)
                return Way(host: host, isCarrying: SystemSocket.isCarrying(host))
            } catch {
                return Way(host: nil, isCarrying: false)
            }
        }
    }
}
