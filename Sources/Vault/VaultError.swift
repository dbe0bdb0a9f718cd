import Glibc
import Platform

/// Why a vault, or its key, cannot be used. Descriptions are texts for people and contain no secret.
public enum VaultError: Error, Equatable, Sendable {
    case notFound(path: String)
    case alreadyExists(path: String)
    case notAVault(path: String)
    /// Written by a later release: its container (`format`) or its tables (`schema`).
    case newerVersion(found: Int, known: Int)
    case truncated(path: String)
    /// The key does not fit. A changed byte in the header's salt or key check has the same effect.
    case wrongKey(path: String)
    case tampered(path: String)
    case locked(path: String)
    case keyNotFound(places: [String])
    /// The vault exists but its key is missing, and no new key would open the vault.
    case keyLost(vault: String, places: [String])
    case keyUnusable(path: String, why: String)
    /// A passphrase locks the key file.
    case keyLocked(path: String)
    case permissionsTooOpen(path: String, mode: UInt32)
    case diskFull(path: String)
    case tooLarge(path: String, bytes: Int, limit: Int)
    case invalidValue(field: String, expected: String)
    case limitReached(what: String, limit: Int)
    /// A system call failed.
    case system(operation: String, path: String, code: Int32)
    case database(SQLiteError)
}

extension VaultError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path): "there is no vault at \(path); make one with `offhook vault init`"
        case .alreadyExists(let path): "\(path) already exists; it was not changed"
        case .notAVault(let path): "\(path) is not an Offhook vault"
        case .newerVersion(let found, let known):
            "the vault has version \(found), written by a later Offhook; this one supports versions up to \(known)"
        case .truncated(let path): "\(path) ends too early: part of the vault is missing"
        case .wrongKey(let path): "the key does not open \(path), or the vault's first bytes were changed"
        case .tampered(let path): "another program changed \(path), so Offhook does not open it"
        case .locked(let path): "\(path) is in use by another Offhook process; stop the phone first"
        case .keyNotFound(let places):
            "no vault key found; looked in \(places.joined(separator: " and ")); `offhook vault init` makes one, "
                + "and systemd passes a sealed one (docs/user/security.md)"
        case .keyLost(let vault, let places):
            "no vault key found; looked in \(places.joined(separator: " and ")). \(vault) exists, and no other key "
                + "opens it: restore its key from a copy, or, if the key was sealed, run this where systemd passes it "
                + "(docs/user/security.md). Without a copy, move the vault away and make a new one"
        case .keyUnusable(let path, let why): "the vault key \(path) cannot be used: \(why)"
        case .keyLocked(let path):
            "the vault key \(path) is locked by a passphrase; `offhook vault unlock` opens it until the machine stops"
        case .permissionsTooOpen(let path, let mode):
            "others can read \(path) (mode \(String(mode, radix: 8))); expected 600 or stricter"
        case .diskFull(let path): "no space left to write \(path); the vault is unchanged"
        case .tooLarge(let path, let bytes, let limit): "\(path) would be \(bytes) bytes; the limit is \(limit)"
        case .invalidValue(let field, let expected): "\(field): expected \(expected)"
        case .limitReached(let what, let limit): "the vault holds at most \(limit) \(what)"
        case .system(let operation, let path, EACCES):
            "cannot \(operation) \(path): this user has no permission; run the command as root, or as user offhook "
                + "(runuser -u offhook -- …)"
        case .system(let operation, let path, let code): "cannot \(operation) \(path): \(SystemError.text(code))"
        case .database(let error): "the vault's database failed: \(error)"
        }
    }
}

extension Database {
    /// Reads, and turns an error of the database into one of the vault.
    func asking<Value>(
        _ body: (borrowing Database) throws(SQLiteError) -> Value
    ) throws(VaultError) -> Value {
        do { return try body(self) } catch { throw .database(error) }
    }

    /// Does all of `body` or nothing, and turns an error of the database into one of the vault.
    func changing<Value>(
        _ body: (borrowing Database) throws(SQLiteError) -> Value
    ) throws(VaultError) -> Value {
        do { return try transaction(body) } catch { throw .database(error) }
    }
}
