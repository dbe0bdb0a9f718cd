import CSQLite
import Vault

/// A vault of a database that `sql` makes from nothing.
func sealed(with key: VaultKey, _ sql: String) -> [UInt8] {
    var database: OpaquePointer?
    precondition(unsafe sqlite3_open(":memory:", &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    return unsafe serialized(database, sql, key)
}

/// Opens a sealed file behind the vault's back, runs `sql` and seals it again.
func changed(_ file: [UInt8], with key: VaultKey, _ sql: String) throws -> [UInt8] {
    let image = try SealedImage.open(file, with: key, path: "x")
    let count = sqlite3_int64(image.count)
    let start = unsafe image.release().assumingMemoryBound(to: UInt8.self)
    var database: OpaquePointer?
    precondition(unsafe sqlite3_open(":memory:", &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE)
    precondition(unsafe sqlite3_deserialize(database, "main", start, count, count, flags) == SQLITE_OK)
    return unsafe serialized(database, sql, key)
}

@unsafe
private func serialized(_ database: OpaquePointer?, _ sql: String, _ key: VaultKey) -> [UInt8] {
    precondition(unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    var size: sqlite3_int64 = 0
    let bytes = unsafe sqlite3_serialize(database, "main", &size, 0)
    defer { unsafe sqlite3_free(bytes) }
    return unsafe SealedImage.seal(UnsafeRawBufferPointer(start: bytes, count: Int(size)), with: key)
}
