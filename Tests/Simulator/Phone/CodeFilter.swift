import Base
import PhoneCore

/// Lets the digits of right codes through, and no others: so no code is ever wrong.
struct CodeFilter: Sendable {
    private let codes: [[DTMFSymbol]]
    /// What was let through since the last `#`.
    private var entries: [CallID: (symbols: [DTMFSymbol], at: Instant)] = [:]

    init(_ policy: PhonePolicy) { codes = policy.relays.values.compactMap { $0.code?.symbols } }

    mutating func passes(_ event: PhoneEvent, at now: Instant) -> Bool {
        switch event {
        case .line(.dtmfReceived(let id, let symbol)), .media(.dtmfReceived(let id, let symbol)):
            passes(symbol, of: id, at: now)
        case .line, .panel, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .deadline, .shutDown:
            true
        }
    }

    private mutating func passes(_ symbol: DTMFSymbol, of id: CallID, at now: Instant) -> Bool {
        var known = entries[id]?.symbols ?? []
        // Whoever pauses for so long begins anew.
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
