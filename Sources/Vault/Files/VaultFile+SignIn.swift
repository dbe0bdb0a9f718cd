import Base
import PhoneCore

/// The sign-in at a backend. Its tokens are in records, which only the backend's own code understands.
extension VaultFile {
    /// Limit of a record's bytes, and of the number of records.
    public static let recordBytesMaximum = 131_072
    public static let recordsMaximum = 4

    /// Nil: nothing was kept under this name, or the sign-in was forgotten.
    public func record(_ name: String) throws(VaultError) -> Redacted<[UInt8]>? {
        try ask { (database) throws(SQLiteError) in try database.record(name) }.map { Redacted($0) }
    }

    public mutating func keep(_ record: Redacted<[UInt8]>?, as name: String) throws(VaultError) {
        try keep([.record(record, as: name, answer: { _ in })])
    }

    func check(_ record: Redacted<[UInt8]>?, as name: String) throws(VaultError) {
        guard !name.isEmpty, name.utf8.count <= TextRule.bytesMaximum else {
            throw .invalidValue(field: "record", expected: "a short name")
        }
        guard let record else { return }
        guard record.reveal().count <= Self.recordBytesMaximum else {
            throw .limitReached(what: "bytes of a record", limit: Self.recordBytesMaximum)
        }
        let names = try recordNames()
        guard names.contains(name) || names.count < Self.recordsMaximum else {
            throw .limitReached(what: "records", limit: Self.recordsMaximum)
        }
    }

    public func recordNames() throws(VaultError) -> [String] {
        try ask { (database) throws(SQLiteError) in try database.recordNames() }
    }

    /// The account that the sign-in added. Nil: it added none.
    public func accountOfSignIn() throws(VaultError) -> AccountID? {
        try ask { (database) throws(SQLiteError) in try database.accountOfSignIn() }
    }

    /// Keeps the account that a sign-in brings. It replaces the account of an earlier sign-in and takes its identifier,
    /// so that history and settings refer to the same account. Signing out removes it.
    public mutating func keepAccountOfSignIn(_ account: Account) throws(VaultError) -> AccountID {
        try account.validate()
        let known = try accountOfSignIn()
        let others = try accounts().filter { $0.id != known }
        guard others.count < VaultFile.accountsMaximum else {
            throw .limitReached(what: "accounts", limit: VaultFile.accountsMaximum)
        }
        guard !others.contains(where: { $0.account.label == account.label }) else {
            throw .invalidValue(field: "label", expected: "one that no other account has")
        }
        let now = clock.read().wall
        return try change { (database) throws(SQLiteError) in
            let id = try database.replaceAccount(known, with: account, at: now)
            try database.setAccountOfSignIn(id)
            return id
        }
    }

    /// The phone's identifier, which belongs to the vault: 32 hexadecimal digits.
    public func device() throws(VaultError) -> String {
        try ask { (database) throws(SQLiteError) in try database.device() }
    }
}

/// What the vault keeps of a sign-in: the backend's records by name, and which account the sign-in added.
extension Database {
    /// Its value is the account's identifier. A setting, because at most one account is of a sign-in.
    private static let accountOfSignIn = "account.sign-in"

    func record(_ name: String) throws(SQLiteError) -> [UInt8]? {
        let found = try rows("SELECT value FROM backend_record WHERE name = ?", [.text(name)]) {
            (row) throws(SQLiteError) in
            guard let bytes = try row.text(0).hexadecimalBytes else {
                throw .unexpected("a record of the backend is not in hexadecimal")
            }
            return bytes
        }
        return found.first
    }

    /// Nil removes the record.
    func keep(_ record: [UInt8]?, as name: String) throws(SQLiteError) {
        guard let record else { return try run("DELETE FROM backend_record WHERE name = ?", [.text(name)]) }
        try run(
            "INSERT OR REPLACE INTO backend_record (name, value) VALUES (?, ?)",
            [.text(name), .text(record.hexadecimal)])
    }

    func recordNames() throws(SQLiteError) -> [String] {
        try rows("SELECT name FROM backend_record ORDER BY name") { (row) throws(SQLiteError) in try row.text(0) }
    }

    /// Removes all records, the organisation's context and the account of the sign-in. Contacts and history stay.
    func forgetSignIn() throws(SQLiteError) {
        try run("DELETE FROM backend_record")
        try run("DELETE FROM organisation_context")
        try run("DELETE FROM tried_context")
        guard let id = try accountOfSignIn() else { return }
        try set(Database.accountOfSignIn, to: nil)
        try deleteAccount(id)
    }

    func accountOfSignIn() throws(SQLiteError) -> AccountID? {
        guard let text = try setting(Database.accountOfSignIn), let number = Int64(text) else { return nil }
        return AccountID(number)
    }

    func setAccountOfSignIn(_ id: AccountID) throws(SQLiteError) {
        try set(Database.accountOfSignIn, to: "\(id.rawValue)")
    }

    /// The phone's own identifier: 32 hexadecimal digits. It is made with the vault, and never changes.
    func device() throws(SQLiteError) -> String {
        try rows("SELECT uuid FROM device") { (row) throws(SQLiteError) in try row.text(0) }.first ?? ""
    }
}
