import Base
import PhoneCore
import PhoneJudges

/// Data that outlives the process. Instants are stored as times of day, so a clock step moves them.
struct SimulatedVault: Sendable {
    private(set) var persisted: PersistedCall?
    /// The calls that ring, oldest first.
    private(set) var ringing: [RingingCall] = []
    private(set) var memory = PhoneMemory()
    private(set) var records = 0
    /// The line's learned facts about the account's server.
    var trust = LineTrust()
    /// The record of the sign-in, which the backend's adapter keeps.
    var record: SignIns.Record?
    /// Whether the last context could not be written.
    private var hasLostContext = false
    private var dice: Dice

    init(context: OrganisationContext?, seed: UInt64, index: Int) {
        dice = Dice(seed: seed, "vault", index)
        memory.context = context
    }

    /// - Returns: the vault's answer.
    mutating func perform(_ effect: VaultEffect) -> VaultEvent? {
        switch effect {
        case .persist(let call): persisted = call
        case .clearPersisted: persisted = nil
        case .persistRinging(let call): ringing = ringing.filter { $0.call != call.call } + [call]
        case .clearRinging(let call): ringing.removeAll { $0.call == call }
        case .addHistory(let entry):
            records += 1
            if let reason = entry.missed { miss(entry, reason) }
        case .clearHistory: (memory.missed, memory.unseenMissedCalls) = (nil, 0)
        case .missedCallsSeen(let one):
            memory.unseenMissedCalls = one == nil ? 0 : max(0, memory.unseenMissedCalls - 1)
            memory.missed?.removeAll { $0.at == one ?? $0.at }
        case .formerMissedCallSeen(let entry):
            memory.unseenMissedCalls = max(0, memory.unseenMissedCalls - 1)
            memory.missed?.removeAll { $0.call.number == entry }
        case .keep(let settings): memory.settings = settings
        case .keepKey(let key): memory.peerKeys = (memory.peerKeys ?? []).filter { $0.peer != key.peer } + [key]
        case .forgetKey(let peer): memory.peerKeys?.removeAll { $0.peer == peer }
        case .keepContext(let context, let ticket):
            hasLostContext = dice.chance(.contextIsLost)
            guard !hasLostContext else { return .contextKept(ticket: ticket, false) }
            memory.context = context
            return .contextKept(ticket: ticket, true)
        case .tryContext(_, let ticket): return .contextKept(ticket: ticket, !dice.chance(.contextIsLost))
        case .forgetSignIn: (memory.context, record, hasLostContext) = (nil, nil, false)
        }
        return dice.chance(.diskIsFull) ? .failed("disk full") : nil
    }

    /// The data for a fresh process.
    mutating func events() -> [VaultEvent] {
        let orphan = persisted.map { VaultEvent.orphanFound($0) }
        let rang = ringing.map { VaultEvent.ringingFound($0) }
        let remembered = VaultEvent.remembered(memory)
        guard let orphan else { return rang + [remembered] }
        return dice.chance(.memoryComesFirst) ? [remembered, orphan] + rang : [orphan] + rang + [remembered]
    }

    /// A phone at rest works for the organisation that a restart would find, and a sign-in is not lost without a word.
    func checkRest(_ shown: PhoneSnapshot) throws(Violation) {
        guard hasLostContext || memory.context?.organisation == shown.organisation else {
            throw Violation("the vault has the phone's organisation")
        }
        switch shown.signIn {
        case .signedIn, .needed: break
        case nil, .asking, .waiting, .signingOut:
            guard shown.organisation == nil || record != nil else {
                throw Violation("a phone that nobody has signed in works for no organisation")
            }
        }
    }

    private mutating func miss(_ entry: HistoryEntry, _ reason: MissedReason) {
        memory.unseenMissedCalls += 1
        let call = MissedCall(
            call: CallID(.past, UInt32(truncatingIfNeeded: records)), number: entry.number, name: entry.name,
            organisation: entry.organisation, account: entry.account, at: entry.started, reason: reason)
        memory.missed = (memory.missed ?? []).suffix(99) + [call]
    }

    mutating func step(clock step: Duration) {
        guard let call = persisted else { return }
        persisted?.started = call.started + step
        persisted?.answered = call.answered + step
    }
}
