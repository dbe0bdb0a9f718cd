import NIOCore
import SIPCore

/// Checks at short intervals whether this machine has a route to the account's server, and from which own address.
///
/// Without this, the telephone would learn of another own address only when it renews its registration, which takes
/// minutes, and of a cable that is plugged in again only at the next attempt to register. A check costs a few system
/// calls and sends nothing. Confined to its loop.
final class WayWatch {
    /// How a server is reached.
    private struct Way: Equatable {
        /// The own address; nil: there is no route.
        let host: String?
        let isCarrying: Bool

        var isUsable: Bool { host != nil && isCarrying }
    }

    /// How often the route to the server is checked. Once the route is back, a message reaches the server within this
    /// time and a round trip.
    private static let interval = TimeAmount.seconds(2)
    /// The largest number of the server's addresses that are checked.
    private static let limit = 2

    private let loop: any EventLoop
    private let own: (Flow.Endpoint) throws(SystemSocket.Failure) -> String
    private let changed: () -> Void
    private var servers: [Flow.Endpoint] = []
    /// The result of the last check at which a server could be reached, or of the check in `found`.
    private var ways: [Way] = []
    /// Whether sending failed since the last check, no server was found, or the last check found no route.
    private var isStranded = false
    private var task: RepeatedTask?

    /// - Parameters:
    ///   - own: The address from which a far end is reached.
    ///   - changed: Called when there is a route where there was none, or another one than before.
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

    /// The server was found at these addresses. If there are none, the search begins again at the next check that finds
    /// a route.
    func found(_ places: [Flow.Endpoint]) {
        guard !places.isEmpty else { return isStranded = true }
        let places = Array(places.prefix(Self.limit))
        guard places != servers else { return }
        servers = places
        ways = glance()
    }

    /// This machine could not send to this address.
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
