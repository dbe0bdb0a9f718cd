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
