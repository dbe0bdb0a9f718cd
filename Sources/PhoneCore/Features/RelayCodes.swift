import Base

/// The code that a far end dials to switch a relay, and the callers that may do so.
///
/// A code stands alone: its digits come after the beginning of the call, a `#` or a pause, and `#` ends it. So digits
/// that are tried in succession count as separate attempts, and a long row of digits does not match because it contains
/// the code.
public struct RelayCode: Equatable, Codable, Sendable {
    public static let lengths = 4...15
    public static let terminator = DTMFSymbol.pound

    /// The code without the `#`.
    public let symbols: [DTMFSymbol]
    /// The far ends that may switch the relay. Empty: none.
    public var callers: [ListedCaller]
    /// The accounts whose calls allow the code. Nil: any.
    public var accounts: Set<AccountID>?
    /// The directions of the calls that allow the code.
    public var directions: Set<CallSummary.Direction>

    /// - Precondition: as many symbols as `lengths` allows, and no terminator among them.
    public init(
        _ symbols: [DTMFSymbol], callers: [ListedCaller], accounts: Set<AccountID>? = nil,
        directions: Set<CallSummary.Direction> = [.incoming]
    ) {
        precondition(Self.isCode(symbols), "a code has \(Self.lengths) symbols and ends with its terminator only")
        self.symbols = symbols
        self.callers = callers
        self.accounts = accounts
        self.directions = directions
    }

    public static func isCode(_ symbols: [DTMFSymbol]) -> Bool {
        lengths.contains(symbols.count) && !symbols.contains(terminator)
    }
}

/// The outcome of a code that a far end dialled.
public enum CodeOutcome: Equatable, Codable, Sendable {
    /// The code switched this relay.
    case right(relay: UInt8)
    /// After this many more wrong codes, the caller's codes are locked for a while.
    case wrong(left: Int)
    /// The caller's codes, right or wrong, are locked for this time.
    case locked(seconds: Int)
}

/// Why a relay is on.
enum RelayHold: Equatable, Codable, Sendable {
    case lasting
    case pulse(until: Instant)
}

/// The digits that a far end has dialled since the last `#`, or the last pause.
struct CodeEntry: Equatable, Codable, Sendable {
    /// A pause of this length starts a new entry.
    static let pause = Duration.seconds(5)

    private var symbols: [DTMFSymbol] = []
    /// More digits were dialled than any code has.
    private var isTooLong = false
    private var last: Instant?

    /// Takes a digit.
    /// - Returns: For a terminator, the digits before it, or an inner nil if they are too many for a code. An outer nil
    ///   for any other digit, and for a terminator without digits before it.
    mutating func take(_ symbol: DTMFSymbol, at now: Instant) -> [DTMFSymbol]?? {
        if let last, now - last >= Self.pause { self = CodeEntry() }
        last = now
        guard symbol == RelayCode.terminator else {
            if symbols.count < RelayCode.lengths.upperBound { symbols.append(symbol) } else { isTooLong = true }
            return nil
        }
        defer { self = CodeEntry() }
        if symbols.isEmpty { return nil }
        return .some(isTooLong ? nil : symbols)
    }
}

/// Every third wrong code of a caller locks the caller's codes, for a time that doubles with each lock.
enum CodeLock {
    static let tries = 3
    /// The most wrong codes that are counted. Beyond this number the time does not grow any more.
    static let mostCounted = 60
    private static let shortest = Duration.seconds(60)
    private static let longest = Duration.seconds(86_400)

    /// How long codes are locked after this number of wrong ones. Nil: they are not locked.
    static func time(after wrong: Int) -> Duration? {
        let locks = wrong / tries
        guard locks > 0 else { return nil }
        return locks > 20 ? longest : min(longest, shortest * (1 << (locks - 1)))
    }
}

/// The wrong codes that callers have dialled, for each relay and each caller on its list.
///
/// A right code forgives one lock, and only of the same caller and relay. So a caller who knows one code gains no tries
/// at another relay, and the right code of another caller gives no new tries. The lists bound the number of counts.
struct CodeTries: Equatable, Codable, Sendable {
    struct Key: Hashable, Codable, Sendable {
        let relay: UInt8
        /// The caller's place on the relay's list. All callers of one entry share its count.
        let caller: Int
    }

    private struct Count: Equatable, Codable, Sendable {
        let key: Key
        var wrong: Int
        var lockedUntil: Instant?
    }

    private var counts: [Count] = []
    /// Wrong codes from a vault that does not name their callers and relays. They count for every caller who has dialled
    /// no wrong code in this run.
    private var before = 0
    private var lockedUntil: Instant?

    /// The most wrong codes that count for anybody.
    var wrong: Int { counts.reduce(before) { max($0, $1.wrong) } }

    /// The counts that are not zero.
    var counted: [(key: Key, wrong: Int)] { counts.filter { $0.wrong > 0 }.map { ($0.key, $0.wrong) } }

    /// When the last lock ends.
    var lastLock: Instant? { counts.reduce(lockedUntil) { .latest($0, $1.lockedUntil) } }

    /// Until when this caller's codes for the relay are locked. Nil: they are not.
    func lock(of key: Key, at now: Instant) -> Instant? {
        let lock = Instant.latest(lockedUntil, counts.first { $0.key == key }?.lockedUntil)
        return lock.flatMap { $0 > now ? $0 : nil }
    }

    /// How many more wrong codes lock this caller's codes for the relay.
    func left(for key: Key) -> Int { CodeLock.tries - wrong(of: key) % CodeLock.tries }

    mutating func addWrong(_ key: Key, at now: Instant) {
        let wrong = min(wrong(of: key) + 1, CodeLock.mostCounted)
        // The count stays at its limit, a multiple of three. So each further wrong code locks for the longest time.
        let time = wrong.isMultiple(of: CodeLock.tries) ? CodeLock.time(after: wrong) : nil
        set(key, wrong, lockedUntil: time.map { now + $0 })
    }

    mutating func forgive(_ key: Key) {
        let wrong = wrong(of: key)
        if wrong > 0 { set(key, max(0, wrong - CodeLock.tries), lockedUntil: nil) }
        before = max(0, before - CodeLock.tries)
    }

    /// Wrong codes from before the restart still count. The lock starts again, because the time in between is not
    /// known.
    mutating func remember(_ wrong: Int, at now: Instant) {
        before = max(before, wrong)
        for index in counts.indices { counts[index].wrong = max(counts[index].wrong, wrong) }
        if let time = CodeLock.time(after: wrong) { lockedUntil = now + time }
    }

    /// The same for one caller and relay.
    mutating func remember(_ wrong: Int, of key: Key, at now: Instant) {
        let wrong = min(max(wrong, self.wrong(of: key)), CodeLock.mostCounted)
        set(key, wrong, lockedUntil: CodeLock.time(after: wrong).map { now + $0 })
    }

    private func wrong(of key: Key) -> Int { counts.first { $0.key == key }?.wrong ?? before }

    private mutating func set(_ key: Key, _ wrong: Int, lockedUntil: Instant?) {
        let count = Count(key: key, wrong: wrong, lockedUntil: lockedUntil)
        if let index = counts.firstIndex(where: { $0.key == key }) {
            counts[index] = count
        } else {
            counts.append(count)
        }
    }
}

extension Instant {
    /// The later of the two instants, or the only one.
    fileprivate static func latest(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first, let second else { return first ?? second }
        return max(first, second)
    }
}

/// Relay codes that a far end dials, for example to open a door.
///
/// Only listed callers may dial codes, identified by a number that a trusted source vouches for. Wrong codes are
/// counted by caller and relay, over all calls and over restarts (`CodeTries`).
extension Transition {
    mutating func workRelays(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id], call.phase == .active || call.isAnsweredAndSettingUp else { return }
        let codes = policy.codes(for: call)
        guard !codes.isEmpty else { return }
        guard let attempt = phone[id]?.entry.take(symbol, at: now) else { return }
        let right = codes.filter { equalsInConstantTime($0.code, attempt) }.map(\.key)
        let open = codes.map(\.key).filter { phone.codeTries.lock(of: $0, at: now) == nil }
        guard !open.isEmpty else { return tellLocked(id, codes.map(\.key)) }
        let worked = open.filter(right.contains)
        guard !worked.isEmpty else { return wrongCode(id, open) }
        for key in worked { workRelay(of: key, id) }
    }

    /// The far end is another party than the one that a trusted source vouches for. The rights do not come back in this
    /// call, even if the first party does.
    mutating func endRights(of call: Call) {
        guard call.vouched != nil else { return }
        if !policy.codes(for: call).isEmpty {
            let words = "has another far end now, so relay codes are no longer accepted in this call"
            notice(.trouble("the call with \(call.who.words) \(words)", .codesRevoked))
        }
        phone[call.id]?.vouched = nil
        phone[call.id]?.entry = CodeEntry()
    }

    /// A code that works only once in a call does nothing, and forgives nothing, when it is dialled again.
    private mutating func workRelay(of key: CodeTries.Key, _ id: CallID) {
        guard let relay = policy.relays[key.relay], let call = phone[id],
            !relay.once || !call.relaysWorked.contains(key.relay)
        else { return }
        phone.codeTries.forgive(key)
        keepWrongCodes()
        phone[id]?.relaysWorked.insert(key.relay)
        phone.relays[key.relay] = .pulse(until: now + relay.pulse)
        notice(.codeTried(id, .right(relay: key.relay)))
    }

    /// The digits are the code of none of the relays that they could have opened, so they count as wrong for all of
    /// these.
    private mutating func wrongCode(_ id: CallID, _ keys: [CodeTries.Key]) {
        for key in keys { phone.codeTries.addWrong(key, at: now) }
        keepWrongCodes()
        let open = keys.filter { phone.codeTries.lock(of: $0, at: now) == nil }
        guard let left = open.map({ phone.codeTries.left(for: $0) }).min() else { return tellLocked(id, keys) }
        notice(.codeTried(id, .wrong(left: left)))
    }

    private mutating func keepWrongCodes() {
        let (wrong, kept) = (phone.codeTries.wrong, wrongCodesByCaller)
        change { ($0.wrongCodes, $0.wrongCodesByCaller) = (wrong, kept) }
    }

    /// The counts by the entries of the lists, which a changed configuration may order differently. Of too many, the
    /// highest ones are kept.
    private var wrongCodesByCaller: [PhoneSettings.WrongCodes]? {
        let all = phone.codeTries.counted.compactMap { counted -> PhoneSettings.WrongCodes? in
            guard let callers = policy.relays[counted.key.relay]?.code?.callers, counted.key.caller < callers.count
            else { return nil }
            return .init(relay: counted.key.relay, caller: callers[counted.key.caller], count: counted.wrong)
        }
        return all.isEmpty ? nil : Array(all.sorted { $0.count > $1.count }.prefix(PhoneSettings.WrongCodes.mostKept))
    }

    /// Counts the wrong codes of former runs. A caller who is no longer on the list of a relay has no rights there.
    mutating func rememberWrongCodes(_ settings: PhoneSettings) {
        if let known = settings.wrongCodesByCaller {
            for wrong in known.prefix(PhoneSettings.WrongCodes.mostKept) {
                let callers = policy.relays[wrong.relay]?.code?.callers ?? []
                guard let place = callers.firstIndex(of: wrong.caller) else { continue }
                phone.codeTries.remember(wrong.count, of: .init(relay: wrong.relay, caller: place), at: now)
            }
        } else {
            phone.codeTries.remember(settings.wrongCodes, at: now)
        }
        (phone.settings.wrongCodes, phone.settings.wrongCodesByCaller) = (phone.codeTries.wrong, wrongCodesByCaller)
    }

    private mutating func tellLocked(_ id: CallID, _ keys: [CodeTries.Key]) {
        guard let first = keys.compactMap({ phone.codeTries.lock(of: $0, at: now) }).min() else { return }
        notice(.codeTried(id, .locked(seconds: Self.seconds(first - now))))
    }

    /// Every code is compared in full, independent of the dialled digits.
    private func equalsInConstantTime(_ code: RelayCode, _ attempt: [DTMFSymbol]?) -> Bool {
        Base.equalsInConstantTime(
            code.symbols.map(\.rawValue), (attempt ?? []).map(\.rawValue), length: RelayCode.lengths.upperBound)
    }

    private static func seconds(_ time: Duration) -> Int {
        Int(time.components.seconds) + (time.components.attoseconds > 0 ? 1 : 0)
    }
}

extension PhonePolicy {
    /// The codes that the far end of this call may dial, in the order of their relays.
    fileprivate func codes(for call: Call) -> [(key: CodeTries.Key, code: RelayCode)] {
        guard let caller = call.vouched else { return [] }
        return relays.sorted { $0.key < $1.key }.compactMap { number, relay in
            guard let code = relay.code, code.directions.contains(call.direction),
                code.accounts?.contains(call.account) ?? true,
                let place = code.callers.firstIndex(where: { $0.matches(caller) })
            else { return nil }
            return (CodeTries.Key(relay: number, caller: place), code)
        }
    }
}
