import Base
import PhoneCore

/// How long calls are in a phase that has a limit. A lost deadline shows at the next event.
struct PhaseClock: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        let call: CallID
        let phase: CallSummary.Phase
        let since: Instant
        /// Its offer may still be on its way, and a change of the organisation before that.
        let mayWaitForOffer: Bool
        let isSignallingLost: Bool
    }

    private var entries: [Entry] = []
    /// Calls that were redirected in this transition: the new target has the whole time.
    private var redirected: Set<CallID> = []
    /// The start of the time without a path.
    private var pathLost: Instant?

    mutating func expect(_ event: PhoneEvent, at now: Instant) {
        redirected = []
        guard case .network(.path(let path)) = event else { return }
        pathLost = path.isUp ? nil : pathLost ?? now
    }

    mutating func take(_ effect: PhoneEffect) {
        if case .line(.redirect(let call, true)) = effect { redirected.insert(call) }
    }

    /// Before an event changes anything.
    func checkTime(at now: Instant, _ policy: PhonePolicy) throws(Violation) {
        if let pathLost {
            let limit = policy.networkTime + policy.networkBlipTime
            for entry in entries
            where entry.phase == .reconnecting && !entry.isSignallingLost && now > max(pathLost, entry.since) + limit {
                throw Violation("no call outlives the network for long: \(entry.call)")
            }
        }
        for entry in entries {
            guard let limit = Self.limit(of: entry, policy), now > entry.since + limit else { continue }
            throw Violation("\(entry.call) is \(entry.phase) for longer than that may last")
        }
    }

    mutating func note(_ snapshot: PhoneSnapshot, at now: Instant) {
        if entries.isEmpty && snapshot.calls.isEmpty { return }
        entries = snapshot.calls.map { call in
            let known = entries.first {
                $0.call == call.call && $0.phase == call.phase && $0.isSignallingLost == (call.signallingLost == true)
            }
            if let known, !redirected.contains(call.call) { return known }
            let isLost = call.signallingLost == true
            let mayWait = call.call.origin == .info || call.badge != nil
            return Entry(
                call: call.call, phase: call.phase, since: now, mayWaitForOffer: mayWait, isSignallingLost: isLost)
        }
    }

    private static func limit(of entry: Entry, _ policy: PhonePolicy) -> Duration? {
        switch entry.phase {
        case .idle, .ended, .failed: .zero
        case .ringingIn: policy.ringingInTime
        case .ringingOut: policy.startTime + policy.ringingOutTime
        case .connecting where entry.mayWaitForOffer:
            policy.answerTime + policy.switchTime + policy.offerTime + policy.connectTime
        case .connecting: max(policy.answerTime, policy.connectTime)
        case .active, .onHold: nil
        // Voice goes on without the connection to the server, as long as it likes.
        case .reconnecting where entry.isSignallingLost: nil
        case .reconnecting: policy.reconnectTime + policy.networkBlipTime
        case .disconnecting: policy.endTime
        }
    }
}
