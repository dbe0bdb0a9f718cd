import Base
import PhoneCore

/// The result of a check of the whole vault. Contains no secret.
public struct VaultReport: Equatable, Sendable, CustomStringConvertible {
    public let path: String
    public let bytes: Int
    public let schemaVersion: Int
    public let accounts: Int
    public let calls: Int
    public let missedUnseen: Int
    public let contacts: Int
    public let holdsCall: Bool
    /// The organisation that the phone works for, by its name. Nil: nobody has signed the phone in.
    public let organisation: String?
    /// The backend's records.
    public let records: Int
    /// Differences from what this program would write; empty: the vault is sound.
    public let problems: [String]

    public var isSound: Bool { problems.isEmpty }

    public var description: String {
        let head = """
            \(path): \(isSound ? "sound" : "damaged")
              size      \(bytes) bytes, sealed; every byte verified
              schema    version \(schemaVersion)
              accounts  \(accounts)
              history   \(calls) calls, \(missedUnseen) missed and not seen
              contacts  \(contacts)
              backend   \(records) records, \(organisation.map { "working for \($0)" } ?? "no organization")
              in a call \(holdsCall ? "yes: the program is, or was stopped, in a call" : "no")
            """
        return problems.reduce(head) { $0 + "\n  problem   " + $1 }
    }
}

extension VaultFile {
    /// Verifies everything: the seal, SQLite's own structures, the schema, each row, each limit.
    ///
    /// Needs no lock, so it may run beside the phone. Throws if the vault cannot be opened.
    public static func check(_ path: String, key: VaultKey) throws(VaultError) -> VaultReport {
        try VaultFile.open(path, key: key, access: .readOnly).report()
    }

    private func report() throws(VaultError) -> VaultReport {
        var problems = try ask { (database) throws(SQLiteError) in
            try database.rows("PRAGMA integrity_check") { (row) throws(SQLiteError) in try row.text(0) }
        }.filter { $0 != "ok" }
        let accounts = readAll(into: &problems) { () throws(VaultError) in try self.accounts().count }
        let calls = readAll(into: &problems) { () throws(VaultError) in try history(limit: .max).count }
        let persisted = readAll(into: &problems) { () throws(VaultError) in try persistedCall() == nil ? 0 : 1 }
        _ = readAll(into: &problems) { () throws(VaultError) in try identity() == nil ? 0 : 1 }
        let tokens = readAll(into: &problems) { () throws(VaultError) in try self.tokens().count }
        let records = readAll(into: &problems) { () throws(VaultError) in try readRecords() }
        if records > VaultFile.recordsMaximum { problems.append("more than \(VaultFile.recordsMaximum) records") }
        let memory = memory { problems.append($0.description) }
        if accounts > VaultFile.accountsMaximum { problems.append("more than \(VaultFile.accountsMaximum) accounts") }
        if tokens > VaultFile.tokensMaximum { problems.append("more than \(VaultFile.tokensMaximum) tokens") }
        if calls > VaultFile.historyMaximum { problems.append("more than \(VaultFile.historyMaximum) calls") }
        if memory.contacts.count > VaultFile.contactsMaximum {
            problems.append("more than \(VaultFile.contactsMaximum) contacts")
        }
        return VaultReport(
            path: path, bytes: try size(), schemaVersion: Schema.version, accounts: accounts, calls: calls,
            missedUnseen: memory.unseenMissedCalls, contacts: memory.contacts.count, holdsCall: persisted > 0,
            organisation: memory.context?.organisation.name.shown(bytes: 64), records: records,
            problems: problems)
    }

    /// Reads every record, and the device's identifier.
    private func readRecords() throws(VaultError) -> Int {
        let names = try recordNames()
        for name in names where (try record(name))?.reveal().count ?? 0 > VaultFile.recordBytesMaximum {
            throw .limitReached(what: "bytes of a record", limit: VaultFile.recordBytesMaximum)
        }
        guard try device().utf8.count == 32 else { throw .invalidValue(field: "device", expected: "32 digits") }
        return names.count
    }

    /// Reads rows that may be invalid. Reports a failure as a problem and continues.
    private func readAll(into problems: inout [String], _ read: () throws(VaultError) -> Int) -> Int {
        do {
            return try read()
        } catch {
            problems.append(error.description)
            return 0
        }
    }

    private func size() throws(VaultError) -> Int {
        Int(try ask { (database) throws(SQLiteError) in try database.number("PRAGMA page_count") })
            * Int(try ask { (database) throws(SQLiteError) in try database.number("PRAGMA page_size") })
            + SealedImage.overhead
    }
}
