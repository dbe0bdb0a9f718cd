import Base
import ICECore
import Platform

/// The addresses of this machine at which a socket can be reached.
enum HostAddresses {
    /// The addresses, on interfaces that are up, that reach the socket. A socket bound to one address has only that
    /// one; an IPv4 socket has only IPv4 addresses. Link-local addresses are left out. Loopback addresses count only if
    /// there are no others.
    static func reaching(_ bound: TransportAddress, isIPv6: Bool) -> [TransportAddress] {
        guard bound.address.isUnspecified else { return [bound] }
        let all = listed().filter { isIPv6 || !$0.isVersion6 }
        let beyond = all.filter { !$0.isLoopback }
        return (beyond.isEmpty ? all : beyond).map { TransportAddress($0, bound.port) }
    }

    /// Without an answer from the kernel, there are no addresses.
    private static func listed() -> [IPAddress] {
        ((try? HostInterface.listed()) ?? []).filter { $0.isUp && !$0.address.isLinkLocal }.map(\.address)
    }
}

/// Stable numbers for our addresses in one call.
///
/// The kernel lists addresses in any order, and one that comes or goes shifts all behind it. The agent takes an address
/// with another number for another socket, and gives up the path on the old one. So an address keeps its number for as
/// long as it exists, and no number is used twice.
package struct HostPlaces<Address: Equatable & Sendable>: Sendable {
    package struct Place: Equatable, Sendable {
        package let number: Int
        package let address: Address
    }

    /// The places of all addresses, in the kernel's last order.
    package private(set) var all: [Place] = []
    private var next = 0

    package init() {}

    /// Sets the current addresses.
    package mutating func take(_ addresses: [Address]) {
        var places: [Place] = []
        for address in addresses where !places.contains(where: { $0.address == address }) {
            if let known = all.first(where: { $0.address == address }) {
                places.append(known)
            } else {
                places.append(Place(number: next, address: address))
                next += 1
            }
        }
        all = places
    }

    /// Nil: the address no longer exists.
    package func address(of number: Int) -> Address? { all.first { $0.number == number }?.address }
}

/// Decides how long one call waits for a relayed candidate. A TURN server that restarts relays nothing for a moment,
/// and without it there may be no path.
struct RelayedCandidateWait {
    /// For how long candidates without a relay are held back after a relayed path was lost, and how often the relay is
    /// tried again in that time.
    private static let (patience, pause): (Duration, Duration) = (.seconds(8), .seconds(1))

    private var wasRelayed = false
    /// Whether the path was lost, or went silent, since candidates were last gathered.
    private var isDoubted = false
    private var until: Instant?
    /// When to gather candidates again.
    private(set) var retryAt: Instant?
    /// Why servers do not relay, by host.
    private var refusals: [String: TURNEnd] = [:]

    mutating func use(_ path: MediaFlow) { wasRelayed = path.isRelayed }

    mutating func doubtPath() { isDoubted = true }

    /// The phone begins to gather candidates.
    /// - Parameter isDemanded: Whether the call accepts only relayed candidates.
    mutating func begin(isDemanded: Bool, at now: Instant) {
        if retryAt == nil { until = isDoubted && (wasRelayed || isDemanded) ? now + Self.patience : nil }
        (isDoubted, retryAt, refusals) = (false, nil, [:])
    }

    /// Whether to hold back these candidates, because no relayed candidate is among them.
    mutating func holdsBack(_ candidates: [Candidate], at now: Instant) -> Bool {
        guard let until, now < until, !candidates.contains(where: { $0.kind == .relayed }) else { return false }
        retryAt = now + Self.pause
        return true
    }

    /// - Returns: Whether the reason is new. A server may be reachable in several ways.
    mutating func note(_ why: TURNEnd, of host: String) -> Bool { refusals.updateValue(why, forKey: host) != why }

    /// Why none of these servers relays, as text for people.
    func reason(_ servers: [ICEServerAddress]) -> String {
        let hosts = Set(servers.filter { $0.relay != nil }.map(\.host)).sorted()
        guard !hosts.isEmpty else { return "no TURN server can relay: their addresses are unknown" }
        let all = hosts.map { "the TURN server \($0) \(refusals[$0]?.sentence ?? "has not answered yet")" }
        return "no TURN server can relay: \(all.joined(separator: "; "))"
    }
}

/// Our candidates that signalling sends one by one, after a description that was not complete (RFC 8838).
struct CandidateTrickle {
    struct News: Equatable, Sendable {
        /// The new candidates, in the syntax of RFC 8839 §5.1.
        let candidates: [String]
        /// Whether these are the last.
        let isLast: Bool
    }

    /// Limit of candidates in one session, with those in the description.
    private static let limit = 64

    /// Nil: this session does not trickle.
    private var told: Set<String>?
    private var found: [String] = []
    private var isEnd = false

    /// Signalling sends a description with these candidates. Candidates found from now on follow it.
    mutating func begin(after described: [String]) {
        self = CandidateTrickle()
        told = Set(described)
    }

    /// Signalling sends another description instead, which will be complete.
    mutating func stop() { self = CandidateTrickle() }

    /// A session that gathers again finds candidates that were already sent; they are ignored.
    mutating func find(_ candidate: String) {
        guard let count = told?.count, count < Self.limit, told?.insert(candidate).inserted == true else { return }
        found.append(candidate)
    }

    mutating func end() { isEnd = told != nil }

    /// The news to send now. After the end there is no more.
    mutating func take() -> News? {
        guard !found.isEmpty || isEnd else { return nil }
        defer { if isEnd { stop() } else { found = [] } }
        return News(candidates: found, isLast: isEnd)
    }
}
