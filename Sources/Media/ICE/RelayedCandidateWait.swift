import Base
import ICECore

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
