import Base
import Cryptography
import PhoneCore

/// The contents of a vault. Each change is on the disk when its call returns.
extension VaultFile {
    // MARK: Accounts

    public mutating func addAccount(_ account: Account) throws(VaultError) -> AccountID {
        try account.validate()
        let limit = VaultFile.accountsMaximum
        guard try accounts().count < limit else { throw .limitReached(what: "accounts", limit: limit) }
        let now = clock.read().wall
        return try change { (database) throws(SQLiteError) in try database.insertAccount(account, at: now) }
    }

    /// All accounts, in the order in which they were added.
    public func accounts() throws(VaultError) -> [StoredAccount] {
        try ask { (database) throws(SQLiteError) in try database.accounts() }
    }

    /// - Returns: False if there is no such account.
    public mutating func removeAccount(_ id: AccountID) throws(VaultError) -> Bool {
        guard try accounts().contains(where: { $0.id == id }) else { return false }
        try change { (database) throws(SQLiteError) in try database.deleteAccount(id) }
        return true
    }

    /// Keeps what the account's line has learned about its server. Does nothing for an account that does not exist.
    public mutating func keepTrust(_ trust: LineTrust, of id: AccountID) throws(VaultError) {
        try keep([.trust(trust, of: id)])
    }

    /// Forgets what was learned about an account's server.
    /// - Returns: False if nothing was known.
    public mutating func forgetTrust(of id: AccountID) throws(VaultError) -> Bool {
        guard try accounts().contains(where: { $0.id == id && !$0.account.trust.isEmpty }) else { return false }
        try change { (database) throws(SQLiteError) in try database.deleteTrust(of: id) }
        return true
    }

    // MARK: Calls

    /// Carries out several of the phone's effects as one change.
    public mutating func apply(_ effects: [VaultEffect]) throws(VaultError) { try keep(effects.map { .effect($0) }) }

    /// Keeps all of these changes or none.
    mutating func keep(_ changes: [VaultChange]) throws(VaultError) {
        for case .effect(.keepContext(let context, _)) in changes { try context.validate() }
        for case .effect(.tryContext(let context, _)) in changes { try context.validate() }
        for case .record(let record, let name, _) in changes { try check(record, as: name) }
        let (boot, now) = (clock.boot, clock.read())
        try change { (database) throws(SQLiteError) in
            for change in changes {
                switch change {
                case .effect(.persist(let call)): try database.persist(call, boot: boot, now)
                case .effect(.clearPersisted): try database.clearPersisted()
                case .effect(.persistRinging(let call)): try database.persist(call, boot: boot, now)
                case .effect(.clearRinging(let call)): try database.clearRinging(call)
                case .effect(.addHistory(let entry)): try database.insertHistory(entry, boot: boot, now)
                case .effect(.clearHistory): try database.clearHistory()
                case .effect(.missedCallsSeen(let started)): try database.markMissedSeen(started, boot: boot)
                case .effect(.formerMissedCallSeen(let entry)): try database.markMissedSeen(entry: entry)
                case .effect(.keep(let settings)): try database.keep(settings)
                case .effect(.keepKey(let key)): try database.keep(key, limit: VaultFile.peerKeysMaximum)
                case .effect(.forgetKey(let peer)): try database.forget(peer)
                case .effect(.keepContext(let context, _)): try database.keep(context)
                case .effect(.tryContext(let context, _)): try database.tryOut(context)
                case .effect(.forgetSignIn): try database.forgetSignIn()
                case .record(let record, let name, _): try database.keep(record?.reveal(), as: name)
                case .trust(let trust, let account): try database.keep(trust, of: account)
                }
            }
        }
    }

    /// The call that was up when the program last stopped. Its instants use the monotonic clock since this boot.
    public func persistedCall() throws(VaultError) -> PersistedCall? {
        let (boot, now) = (clock.boot, clock.read())
        return try ask { (database) throws(SQLiteError) in try database.persistedCall(boot: boot, now) }
    }

    /// The calls that rang when the program last stopped, oldest first.
    public func ringingCalls() throws(VaultError) -> [RingingCall] {
        let (boot, now) = (clock.boot, clock.read())
        return try ask { (database) throws(SQLiteError) in try database.ringingCalls(boot: boot, now) }
    }

    /// Newest first.
    public func history(limit: Int = VaultFile.historyMaximum) throws(VaultError) -> [HistoryRecord] {
        precondition(limit >= 0, "a limit counts calls")
        return try ask { (database) throws(SQLiteError) in try database.history(HistoryQuestion(), limit: limit) }
    }

    /// The next page of past calls, newest first, and whether older ones follow.
    public func history(_ question: HistoryQuestion) throws(VaultError) -> (calls: [HistoryRecord], more: Bool) {
        let found = try ask { (database) throws(SQLiteError) in
            try database.history(question, limit: HistoryQuestion.page + 1)
        }
        return (Array(found.prefix(HistoryQuestion.page)), found.count > HistoryQuestion.page)
    }

    /// The number of missed calls that nobody has seen.
    public func missedUnseen() throws(VaultError) -> Int {
        try ask { (database) throws(SQLiteError) in try database.missedUnseen() }
    }

    /// The newest missed calls that nobody has seen, oldest first.
    public func newestMissedUnseen() throws(VaultError) -> [MissedCall] {
        let (boot, now) = (clock.boot, clock.read())
        return try ask { (database) throws(SQLiteError) in
            try database.newestMissedUnseen(limit: VaultFile.missedMaximum, boot: boot, now)
        }
    }

    public mutating func markMissedSeen() throws(VaultError) { try apply([.missedCallsSeen(nil)]) }

    // MARK: Settings

    public func setting(_ name: String) throws(VaultError) -> String? {
        try ask { (database) throws(SQLiteError) in try database.setting(name) }
    }

    /// Nil removes the setting.
    public mutating func set(_ name: String, to value: String?) throws(VaultError) {
        let limit = VaultFile.settingBytesMaximum
        guard !name.isEmpty, name.utf8.count <= TextRule.bytesMaximum, value?.utf8.count ?? 0 <= limit else {
            throw .invalidValue(field: "setting", expected: "a short name and at most \(limit) bytes")
        }
        let count = try ask { (database) throws(SQLiteError) in try database.settingCount() }
        let known = try setting(name)
        guard value == nil || known != nil || count < VaultFile.settingsMaximum else {
            throw .limitReached(what: "settings", limit: VaultFile.settingsMaximum)
        }
        try change { (database) throws(SQLiteError) in try database.set(name, to: value) }
    }
}

/// What the phone reads at its start from earlier runs.
extension VaultFile {
    public func phoneSettings() throws(VaultError) -> PhoneSettings {
        try ask { (database) throws(SQLiteError) in try database.phoneSettings() }
    }

    /// Nil: no context was ever kept.
    public func context() throws(VaultError) -> OrganisationContext? {
        try ask { (database) throws(SQLiteError) in try database.context() }
    }

    /// The last dialled number among the calls in the history.
    public func lastDialled() throws(VaultError) -> String? {
        try ask { (database) throws(SQLiteError) in try database.lastDialled() }
    }

    /// The fingerprints of far ends whose words were compared, oldest first.
    public func peerKeys() throws(VaultError) -> [PeerFingerprint] {
        try ask { (database) throws(SQLiteError) in try database.peerKeys() }
    }

    /// All of this together. Unreadable parts are left out and reported, because the rest is still useful.
    public func memory(unreadable: (VaultError) -> Void) -> PhoneMemory {
        var memory = PhoneMemory()
        read(into: &memory.settings, unreadable) { () throws(VaultError) in try phoneSettings() }
        read(into: &memory.contacts, unreadable) { () throws(VaultError) in try contacts() }
        read(into: &memory.unseenMissedCalls, unreadable) { () throws(VaultError) in try missedUnseen() }
        read(into: &memory.missed, unreadable) { () throws(VaultError) in
            let missed = try newestMissedUnseen()
            return missed.isEmpty ? nil : missed
        }
        read(into: &memory.lastDialled, unreadable) { () throws(VaultError) in try lastDialled() }
        // No keys is nil, as in event logs of former versions.
        read(into: &memory.peerKeys, unreadable) { () throws(VaultError) in
            let keys = try peerKeys()
            return keys.isEmpty ? nil : keys
        }
        read(into: &memory.context, unreadable) { () throws(VaultError) in try context() }
        return memory
    }

    private func read<Value>(
        into value: inout Value, _ unreadable: (VaultError) -> Void, _ body: () throws(VaultError) -> Value
    ) {
        do { value = try body() } catch { unreadable(error) }
    }
}

extension VaultFile {
    /// The certificate that this phone shows in DTLS handshakes, and its key; nil before the first one is kept.
    package func identity() throws(VaultError) -> DTLSIdentity? {
        try ask { (database) throws(SQLiteError) in try database.identity() }
    }

    /// Keeps the phone's certificate, and replaces any other. Far ends that compared the old one will warn their users.
    package mutating func keep(_ identity: DTLSIdentity) throws(VaultError) {
        try change { (database) throws(SQLiteError) in try database.keep(identity) }
    }
}
