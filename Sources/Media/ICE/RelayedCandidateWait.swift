import Base
import ICECore

/// What one call knows of the servers that relay for it, and how long it waits for one: a server that starts anew relays
/// nothing for a moment, and without it there may be no path.
struct RelayedCandidateWait {
    /// How long the candidates of this phone are not told without a relay, when a path through one was lost; and how often it is
    /// tried again meanwhile.
    private static let (patience, pause): (Duration, Duration) = (.seconds(8), .seconds(1))

    private var wasRelayed = false
    /// Whether the path was lost, or went silent, since candidates were last gathered.
    private var isDoubted = false
    private var until: Instant?
    /// When candidates are to be gathered again.
    private(set) var retryAt: Instant?
    /// Why servers do not relay.
    private var refusals: [String: TURNEnd] = [:]

    mutating func use(_ path: MediaFlow) { wasRelayed = path.isRelayed }

    mutating func doubtPath() { isDoubted = true }

    /// The candidates of this phone are being gathered.
    /// - Parameter isDemanded: Whether nothing but a relay will do.
    mutating func begin(isDemanded: Bool, at now: Instant) {
        if retryAt == nil { until = isDoubted && (wasRelayed || isDemanded) ? now + Self.patience : nil }
        (isDoubted, retryAt, refusals) = (false, nil, [:])
    }

    /// Whether these candidates are not to be told yet, as there is no relay among them.
    mutating func holdsBack(_ candidates: [Candidate], at now: Instant) -> Bool {
        guard let until, now < until, !candidates.contains(where: { $0.kind == .relayed }) else { return false }
        retryAt = now + Self.pause
        return true
    }

    /// - Returns: Whether that is news: a server may be reached in several ways.
    mutating func note(_ why: TURNEnd, of host: String) -> Bool { refusals.updateValue(why, forKey: host) != why }

    /// Why none of these servers relays, for people.
    func reason(_ servers: [ICEServerAddress]) -> String {
        let hosts = Set(servers.filter { $0.relay != nil }.map(\.host)).sorted()
        guard !hosts.isEmpty else { return "no server relays for this phone: it knows the address of none" }
        let all = hosts.map { "the TURN server \($0) \(refusals[$0]?.sentence ?? "has not answered yet")" }
        return "no server relays for this phone: \(all.joined(separator: "; "))"
    }
}
