import Base
import PhoneCore

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
