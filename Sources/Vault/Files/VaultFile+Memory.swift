import PhoneCore

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
