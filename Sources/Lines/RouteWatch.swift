import Base
import Glibc
import NIOCore
import SIPCore

/// Checks whether this machine has a route to the account's server, and from which of our addresses.
///
/// It checks after each change of the network. It also checks at short intervals while the server cannot be reached, or
/// while nobody reports changes.
///
/// Without this, the telephone would notice its new address only when it renews its registration, which takes minutes.
/// It would notice a cable that is plugged in again only at the next attempt to register. The phone makes its lines
/// register when its path to the Internet changes, but a server may be reached by another route. A check costs a few
/// system calls and sends nothing. Confined to its loop.
final class RouteWatch {
    /// How the kernel sends to a server.
    private struct Route: Equatable {
        /// Our address towards the server. Nil: no route.
        let address: IPAddress?
        let isCarrying: Bool

        var isUsable: Bool { address != nil && isCarrying }
    }

    /// How often the route to the server is checked while nobody reports changes, or while there is no route.
    private static let interval = TimeAmount.seconds(2)
    /// The longest pause between attempts while sending fails. A firewall's rule, for example, may last, and each
    /// attempt queries the name service and the server.
    private static let longestPause = TimeAmount.minutes(5)
    /// The time between a change and the check. It is longer than the phone takes to confirm a new path, so that a line
    /// does not register twice.
    private static let settling = TimeAmount.milliseconds(750)
    /// A shorter sleep does not count as a sleep.
    private static let shortestSleep = Duration.seconds(1)
    /// The most addresses of the server that are checked.
    private static let limit = 2

    private let loop: any EventLoop
    private let own: (Flow.Endpoint) throws(SystemSocket.Failure) -> IPAddress
    private let slept: () -> Duration
    private let changed: () -> Void
    private var servers: [Flow.Endpoint] = []
    /// The result of the last check that could reach a server, or of the check in `found`.
    private var routes: [Route] = []
    /// Whether sending failed since the last check, or the last check found no route.
    private var isStranded = false
    /// Whether no server was found. The line also searches again by its own timer, but a change of the network is a
    /// reason to search at once.
    private var isUnfound = false
    private var pause = GrowingPause(first: RouteWatch.interval, longest: RouteWatch.longestPause)
    /// When sending failed last.
    private var lastRefusal = NIODeadline.distantPast
    /// Before this time, a refused send alone causes no new attempt.
    private var notBefore = NIODeadline.distantPast
    private var next: (due: NIODeadline, task: Scheduled<Void>)?
    private var isRunning = false
    /// Whether somebody reports changes.
    private var isTold = false
    /// How long the machine had slept when the line last started again.
    private var sleep: Duration

    /// - Parameters:
    /// - own: The address from which a far end is reached.
    /// - slept: How long the machine has slept.
    /// - changed: Called when there is a new or another route, or the machine has slept.
    init(
        loop: any EventLoop, own: @escaping (Flow.Endpoint) throws(SystemSocket.Failure) -> IPAddress,
        slept: @escaping () -> Duration, changed: @escaping () -> Void
    ) {
        (self.loop, self.own, self.slept, self.changed) = (loop, own, slept, changed)
        sleep = slept()
    }

    func start() {
        isRunning = true
        look(in: Self.interval)
    }

    func stop() {
        isRunning = false
        next?.task.cancel()
    }

    /// Reacts to a change of the network. After the first call, there are no checks at intervals.
    func stirred() {
        (isTold, isStranded, notBefore) = (true, isStranded || isUnfound, .distantPast)
        look(in: Self.settling)
    }

    /// Takes the present routes as the state to compare with, because the line starts again.
    func begun() { (isStranded, isUnfound, routes, sleep) = (false, false, glance(), slept()) }

    /// Checks whether the machine has slept. During sleep the line's timers stop, so the server or a NAT on the way may
    /// have forgotten the line.
    func timePassed() {
        guard slept() - sleep >= Self.shortestSleep else { return }
        sleep = slept()
        isStranded = true
        look(in: Self.interval)
    }

    /// Takes the addresses at which the server was found. An empty list does not mean that the network has changed.
    func found(_ places: [Flow.Endpoint]) {
        isUnfound = places.isEmpty
        guard !isUnfound else { return }
        let places = Array(places.prefix(Self.limit))
        guard places != servers else { return }
        servers = places
        routes = glance()
    }

    /// Records that this machine could not send to this address.
    func refused(to remote: Flow.Endpoint) {
        guard servers.contains(remote), !isStranded else { return }
        let now = NIODeadline.now()
        if now - lastRefusal > Self.longestPause * 2 { pause.failures = 0 }
        (isStranded, lastRefusal, notBefore) = (true, now, now + pause.next())
        look(in: Self.interval)
    }

    private func look(in delay: TimeAmount) {
        let due = NIODeadline.now() + delay
        if let next, next.due <= due { return }
        next?.task.cancel()
        next = nil
        guard isRunning else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        next = (due, loop.scheduleTask(deadline: due) { bound.value.lookNow() })
    }

    private func lookNow() {
        next = nil
        look()
        if !isTold || isStranded { look(in: Self.interval) }
    }

    private func look() {
        timePassed()
        let now = glance()
        guard servers.isEmpty || now.contains(where: \.isUsable) else {
            (isStranded, notBefore) = (true, .distantPast)
            return
        }
        if now == routes { guard isStranded, notBefore <= .now() else { return } } else { pause.failures = 0 }
        (isStranded, routes) = (false, now)
        changed()
    }

    private func glance() -> [Route] {
        servers.map { server in
            do throws(SystemSocket.Failure) {
                let address = try own(server)
                return Route(address: address, isCarrying: SystemSocket.isCarrying(address))
            } catch {
                return Route(address: nil, isCarrying: false)
            }
        }
    }
}

/// Measures how long the machine has slept since it was started. CLOCK_BOOTTIME counts that time, and CLOCK_MONOTONIC
/// does not (clock_gettime(2)).
public enum SleepClock {
    public static func slept() -> Duration { time(of: CLOCK_BOOTTIME) - time(of: CLOCK_MONOTONIC) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        let result = unsafe clock_gettime(clock, &time)
        precondition(result == 0, "Linux always has these clocks")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
