import Base
import PhoneCore

/// Passes only digits of correct codes, so no code is ever wrong.
struct CodeFilter: Sendable {
    private let codes: [[DTMFSymbol]]
    /// The digits passed since the last `#`.
    private var entries: [CallID: (symbols: [DTMFSymbol], at: Instant)] = [:]

    init(_ policy: PhonePolicy) { codes = policy.relays.values.compactMap { $0.code?.symbols } }

    mutating func passes(_ event: PhoneEvent, at now: Instant) -> Bool {
        switch event {
        case .line(.dtmfReceived(let id, let symbol)), .media(.dtmfReceived(let id, let symbol)):
            passes(symbol, of: id, at: now)
        case .line, .panel, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .policyChanged,
            .deadline,
            .shutDown:
            true
        }
    }

    private mutating func passes(_ symbol: DTMFSymbol, of id: CallID, at now: Instant) -> Bool {
        var known = entries[id]?.symbols ?? []
        // After a pause of this length a new code begins.
        if let at = entries[id]?.at, now - at >= .seconds(5) { known = [] }
        if symbol == RelayCode.terminator {
            guard codes.contains(known) else { return false }
            entries[id] = nil
            return true
        }
        guard codes.contains(where: { $0.starts(with: known + [symbol]) }) else { return false }
        entries[id] = (known + [symbol], now)
        return true
    }
}
