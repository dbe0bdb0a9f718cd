import Base
import PhoneCore

/// Data that outlives the process. Instants are stored as times of day, so a clock step moves them.
struct SimulatedVault: Sendable {
    private(set) var persisted: PersistedCall?
    private(set) var memory = PhoneMemory()
    private(set) var records = 0
    /// The line's learned facts about the account's server.
    var trust = LineTrust()
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
        case .addHistory(let entry):
            records += 1
            if entry.missed != nil { memory.unseenMissedCalls += 1 }
        case .missedCallsSeen(let one):
            memory.unseenMissedCalls = one == nil ? 0 : max(0, memory.unseenMissedCalls - 1)
        case .keep(let settings): memory.settings = settings
        case .keepKey(let key): memory.peerKeys = (memory.peerKeys ?? []).filter { $0.peer != key.peer } + [key]
        case .forgetKey(let peer): memory.peerKeys?.removeAll { $0.peer == peer }
        case .keepContext(let context, let ticket):
            guard !dice.chance(.contextIsLost) else { return .contextKept(ticket: ticket, false) }
            memory.context = context
            return .contextKept(ticket: ticket, true)
        }
        return dice.chance(.diskIsFull) ? .failed("disk full") : nil
    }

    /// The data for a fresh process.
    mutating func events() -> [VaultEvent] {
        let orphan = persisted.map { VaultEvent.orphanFound($0) }
        let remembered = VaultEvent.remembered(memory)
        guard let orphan else { return [remembered] }
        return dice.chance(.memoryComesFirst) ? [remembered, orphan] : [orphan, remembered]
    }

    mutating func step(clock step: Duration) {
        guard let call = persisted else { return }
        persisted?.started = call.started + step
        persisted?.answered = call.answered + step
    }
}
