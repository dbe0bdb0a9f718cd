import Base
import SIPCore

/// Far ends that send a call of ours elsewhere (RFC 3261 §8.1.3.4).
extension LineMachine {
    /// 300, 301 and 302 name other addresses of whom we call. 305 names a proxy, and would have our calls pass through
    /// whatever a stranger names; 380 describes in a body what no person here would read.
    private static let redirections = 300...302

    /// Calls at the next address, if this response names one, or an earlier one did.
    mutating func follow(_ response: SIPResponse, _ id: LegID, _ inviting: Leg.Inviting, at now: Instant) -> Bool {
        guard !response.status.isGlobal else { return false }
        var placing = inviting.placing
        if configuration.followsRedirections, Self.redirections.contains(response.status.code) {
            for contact in (try? response.headers.contacts) ?? [] {
                guard let address = target(of: contact.uri) else { continue }
                placing.targets.add(address, preference: contact.preference ?? 1)
            }
        }
        return placeElsewhere(id, placing, at: now)
    }

    /// Calls at the next address of those that are known. It is a new INVITE, of which only To is that of the first.
    mutating func placeElsewhere(_ id: LegID, _ placing: Leg.Placing, at now: Instant) -> Bool {
        var placing = placing
        guard !isShuttingDown, placing.targets.advance() else { return false }
        legs[id] = .placing(placing)
        send(.place(id), to: hop(of: placing), at: now)
        return true
    }
}
