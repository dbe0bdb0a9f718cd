import Base
import Glibc
import PhoneCore

/// An open vault, with its database in memory.
///
/// A change returns when all of it is on the disk, or throws and changes nothing. For one thread at a time; `Vault`
/// does the same on its own thread. Cost: opening takes about a millisecond; a change writes the whole file (tens to
/// hundreds of kilobytes) and waits for the disk.
public struct VaultFile: ~Copyable, Sendable {
    public enum Access: Sendable {
        /// Only reads the file. This needs no lock, so it works beside a running phone.
        case readOnly
        /// Reads and changes the file; one process at a time.
        case exclusive
    }

    /// The missed calls of former runs that are listed one by one.
    public static let missedMaximum = 100
    public static let accountsMaximum = 64
    public static let contactsMaximum = 1_000
    public static let tokensMaximum = 64
    public static let peerKeysMaximum = 1_000
    public static let settingsMaximum = 1_000
    public static let settingBytesMaximum = 4_096
    /// Limit of Unicode scalars kept of a caller's number or name.
    public static let callTextMaximum = 256
    /// Limit of UTF-8 bytes in the memo that a line needs to send a BYE after a restart.
    public static let memoBytesMaximum = 4_096

    public let path: String
    let clock: VaultClock
    private let key: VaultKey
    private let lock: FileLock?
    private var database: Database

    /// Creates a vault at a path without a file.
    public static func create(
        at path: String, key: VaultKey, clock: VaultClock = .system()
    ) throws(VaultError) -> VaultFile {
        let lock = try FileLock(vault: path)
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { throw .alreadyExists(path: path) }
        let database = try emptyDatabase()
        _ = try Schema.migrate(database)
        try save(database, path: path, key: key)
        return VaultFile(path: path, clock: clock, key: key, lock: lock, database: database)
    }

    /// Opens a vault, and verifies all its bytes.
    public static func open(
        _ path: String, key: VaultKey, access: Access = .exclusive, clock: VaultClock = .system()
    ) throws(VaultError) -> VaultFile {
        let path = try resolve(path)
        let lock: FileLock? =
            switch access {
            case .readOnly: nil
            case .exclusive: try FileLock(vault: path)
            }
        let database = try load(readImage(path, key))
        let changed = try Schema.migrate(database)
        if changed, access == .exclusive { try save(database, path: path, key: key) }
        return VaultFile(path: path, clock: clock, key: key, lock: lock, database: database)
    }

    /// Does all of `body` and writes it to the disk, or changes nothing.
    mutating func change<Value>(
        _ body: (borrowing Database) throws(SQLiteError) -> Value
    ) throws(VaultError) -> Value {
        precondition(lock != nil, "a vault opened for reading is not changed")
        let before = try snapshot()
        let value = try database.changing(body)
        do {
            try VaultFile.save(database, path: path, key: key)
        } catch {
            database = try VaultFile.load(before)
            throw error
        }
        return value
    }

    func ask<Value>(
        _ body: (borrowing Database) throws(SQLiteError) -> Value
    ) throws(VaultError) -> Value {
        try database.asking(body)
    }

    private func snapshot() throws(VaultError) -> ClearImage {
        do { return try database.copyImage() } catch { throw .database(error) }
    }

    private static func load(_ image: consuming ClearImage) throws(VaultError) -> Database {
        do { return try Database(image) } catch { throw .database(error) }
    }

    private static func emptyDatabase() throws(VaultError) -> Database {
        do { return try Database(ClearImage.empty()) } catch { throw .database(error) }
    }

    private static func readImage(_ path: String, _ key: VaultKey) throws(VaultError) -> ClearImage {
        let limit = Database.bytesMaximum + SealedImage.overhead
        return try SealedImage.open(PrivateFile.read(path, limit: limit), with: key, path: path)
    }

    private static func save(_ database: borrowing Database, path: String, key: VaultKey) throws(VaultError) {
        let file = unsafe database.withImage { unsafe SealedImage.seal($0, with: key) }
        try PrivateFile.replace(path, file)
    }

    /// The vault's real path. Two names of one vault then share one lock, and a symbolic link is not replaced.
    private static func resolve(_ path: String) throws(VaultError) -> String {
        guard let real = unsafe realpath(path, nil) else {
            guard errno == ENOENT else { throw .system(operation: "find", path: path, code: errno) }
            throw .notFound(path: path)
        }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
