import Base
import PhoneCore
import PhoneJudges

/// A relay closes on a local request, or on a permitted caller's correct code. The judge keeps its own count of
/// digits, wrong codes and lock times.
struct RelayJudge: Sendable {
    /// A far end's digits since the last `#`.
    private struct Entry: Sendable {
        var symbols: [DTMFSymbol] = []
        var at: Instant
    }

    private static let pause = Duration.seconds(5)
    private static let tries = 3
    private static let firstLock = Duration.seconds(60)
    private static let longestLock = Duration.seconds(86_400)

    private let policy: PhonePolicy
    /// One count for each relay and each caller of its list.
    private struct Place: Hashable, Sendable {
        let relay: UInt8
        let caller: Int
    }

    private struct Tries: Sendable {
        var wrong: Int
        var lockedUntil: Instant?
    }

    private var tries: [Place: Tries] = [:]
    /// Wrong codes of former processes count for all callers.
    private var former = 0
    private var lockedUntil: Instant?
    private var entries: [CallID: Entry] = [:]
    /// Relays that a far end switched in a call, with a single-use code.
    private var worked: [CallID: Set<UInt8>] = [:]
    /// Calls that a far end made us place.
    private var followed: Set<CallID> = []
    /// Calls whose far end has changed. Its rights do not return in the call.
    private var turned: Set<CallID> = []
    /// Calls whose far end dialled by INFO, and when one dialled in the voice last. A press that comes in both ways
    /// counts once, so a phone need not report it twice.
    private var informed: Set<CallID> = []
    private var played: [CallID: Instant] = [:]
    /// Calls that both ends agree on. Their far ends may dial while media is still set up.
    private var agreed: Set<CallID> = []

    init(policy: PhonePolicy) { self.policy = policy }

    /// Another process. Wrong codes still count.
    mutating func restart() {
        former = tries.values.map(\.wrong).max().map { max($0, former) } ?? former
        (entries, worked, followed, turned, agreed, tries, lockedUntil) = ([:], [:], [], [], [], [:], nil)
        (informed, played) = ([], [:])
    }

    /// - Parameter before: The phone's former snapshot.
    mutating func check(
        _ event: PhoneEvent, _ effects: [PhoneEffect], _ before: PhoneSnapshot, _ witness: Witness, at now: Instant
    ) throws(Violation) {
        if case .vault(.remembered) = event, let time = lock(after: former) { lockedUntil = now + time }
        let allowed = relays(for: event, effects, before, witness, at: now)
        switch event {
        case .line(.answered(let leg, _)): agreed.insert(leg)
        case .line(.displayUpdated(let leg, _, let number, let standing)):
            let call = before.calls.first { witness.leg(of: $0.call) == leg }
            if let call, isAnotherParty(call, leg, number, standing, witness) { turned.insert(leg) }
        case .line, .panel, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .policyChanged,
            .deadline,
            .shutDown:
            break
        }
        for effect in effects {
            switch effect {
            case .panel(.relay(let number, on: true)), .panel(.pulse(let number, until: _)):
                guard allowed.contains(number) else { throw Violation("a relay obeys permitted callers: \(number)") }
            case .line(.follow(let leg, _, _, _)), .line(.pickUp(let leg, _, _)): followed.insert(leg)
            case .line, .panel, .media, .vault, .control, .callerInfo, .backend, .display, .stopped: break
            }
        }
    }

    private func isAnotherParty(
        _ call: CallSummary, _ leg: CallID, _ number: String?, _ standing: PartyStanding?, _ witness: Witness
    ) -> Bool {
        let isElsewhere: Bool
        switch standing {
        case .doubted: return true
        case .withheld: isElsewhere = !call.isWithheld
        case .vouched(let asserted): isElsewhere = asserted.domain != witness.call(ofLeg: leg)?.caller?.domain
        case nil: isElsewhere = false
        }
        // The numbers of this world are short, and have no country codes.
        return number.map { $0 != call.number || isElsewhere } ?? false
    }

    private mutating func relays(
        for event: PhoneEvent, _ effects: [PhoneEffect], _ before: PhoneSnapshot, _ witness: Witness, at now: Instant
    ) -> Set<UInt8> {
        switch event {
        case .request(_, .relay(let number, let order)): return order == .off ? [] : [number]
        case .line(.dtmfReceived(let leg, let symbol)):
            let isTwin = played[leg].map { now - $0 < .seconds(1) } ?? false
            informed.insert(leg)
            guard !isTwin || Self.reportsDigit(effects) else { return [] }
            let call = before.calls.first { witness.leg(of: $0.call) == leg }
            return call.map { hear(symbol, $0, leg, witness, at: now) } ?? []
        case .media(.dtmfReceived(let id, let symbol)):
            guard let call = before.calls.first(where: { $0.call == id }), let leg = witness.leg(of: id) else {
                return []
            }
            played[leg] = now
            guard !informed.contains(leg) || Self.reportsDigit(effects) else { return [] }
            return hear(symbol, call, leg, witness, at: now)
        case .line, .panel, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .policyChanged,
            .deadline,
            .shutDown:
            return []
        }
    }

    private static func reportsDigit(_ effects: [PhoneEffect]) -> Bool {
        effects.contains { if case .control(.notice(.dtmfReceived)) = $0 { true } else { false } }
    }

    private mutating func hear(
        _ symbol: DTMFSymbol, _ call: CallSummary, _ leg: CallID, _ witness: Witness, at now: Instant
    ) -> Set<UInt8> {
        let codes = turned.contains(leg) ? [] : codes(for: call, leg, witness)
        let maySetUp = call.phase == .connecting && agreed.contains(leg)
        guard call.phase == .active || maySetUp, !codes.isEmpty else { return [] }
        var entry = entries[leg] ?? Entry(at: now)
        if now - entry.at >= Self.pause { entry.symbols = [] }
        entry.at = now
        defer { entries[leg] = entry }
        guard symbol == .pound else {
            entry.symbols.append(symbol)
            return []
        }
        let attempt = entry.symbols
        entry.symbols = []
        guard !attempt.isEmpty else { return [] }
        let open = codes.filter { code in
            (lockedUntil.map { $0 <= now } ?? true) && (tries[code.place]?.lockedUntil.map { $0 <= now } ?? true)
        }
        let right = open.filter { $0.symbols == attempt }.map(\.place)
        guard !right.isEmpty else {
            for code in open { addWrong(code.place, at: now) }
            return []
        }
        let fresh = right.filter {
            policy.relays[$0.relay]?.once == false || worked[leg]?.contains($0.relay) != true
        }
        for place in fresh {
            tries[place] = Tries(wrong: max(0, (tries[place]?.wrong ?? former) - Self.tries))
            former = max(0, former - Self.tries)
        }
        worked[leg, default: []].formUnion(fresh.map(\.relay))
        return Set(fresh.map(\.relay))
    }

    private mutating func addWrong(_ place: Place, at now: Instant) {
        let wrong = (tries[place]?.wrong ?? former) + 1
        let time = wrong.isMultiple(of: Self.tries) ? lock(after: wrong) : nil
        tries[place] = Tries(wrong: wrong, lockedUntil: time.map { now + $0 })
    }

    private func codes(
        for call: CallSummary, _ leg: CallID, _ witness: Witness
    ) -> [(place: Place, symbols: [DTMFSymbol])] {
        // A party dialled here is identified by the number; others by the server's assertion.
        let caller =
            call.direction == .incoming
            ? witness.call(ofLeg: leg)?.caller : followed.contains(leg) ? nil : AssertedNumber(call.number)
        guard let caller else { return [] }
        return policy.relays.compactMap { number, relay in
            guard let code = relay.code, code.directions.contains(call.direction),
                code.accounts?.contains(call.account) ?? true,
                let caller = code.callers.firstIndex(where: { $0.isExactly(caller) })
            else { return nil }
            return (Place(relay: number, caller: caller), code.symbols)
        }
    }

    private func lock(after wrong: Int) -> Duration? {
        let locks = wrong / Self.tries
        guard locks > 0 else { return nil }
        return (1..<max(locks, 1)).reduce(Self.firstLock) { time, _ in min(time * 2, Self.longestLock) }
    }
}
