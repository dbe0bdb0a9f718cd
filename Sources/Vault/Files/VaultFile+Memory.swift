import PhoneCore

/// What the phone reads at its start about earlier runs.
extension VaultFile {
    public func phoneSettings() throws(VaultError) -> PhoneSettings {
        try ask { (database) throws(SQLiteError) in try database.phoneSettings() }
    }

    /// Nil: no context was ever kept.
    public func context() throws(VaultError) -> OrganisationContext? {
        try ask { (database) throws(SQLiteError) in try database.context() }
    }

    /// The number that was dialled last, of the calls in the history.
    public func lastDialled() throws(VaultError) -> String? {
        try ask { (database) throws(SQLiteError) in try database.lastDialled() }
    }

    /// The keys of far ends under which words were compared, the oldest first.
    public func peerKeys() throws(VaultError) -> [PeerFingerprint] {
        try ask { (database) throws(SQLiteError) in try database.peerKeys() }
    }

    /// All of this together. What cannot be read is left out and reported, because the rest is still useful.
    public func memory(unreadable: (VaultError) -> Void) -> PhoneMemory {
        var memory = PhoneMemory()
        read(into: &memory.settings, unreadable) { () throws(VaultError) in try phoneSettings() }
        read(into: &memory.contacts, unreadable) { () throws(VaultError) in try contacts() }
        read(into: &memory.unseenMissedCalls, unreadable) { () throws(VaultError) in try missedUnseen() }
        read(into: &memory.lastDialled, unreadable) { () throws(VaultError) in try lastDialled() }
        // The phone tells apart that it knows of none from what an event log of former versions says.
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
