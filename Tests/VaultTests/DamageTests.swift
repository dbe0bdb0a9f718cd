import CSQLite
import PhoneCore
import Testing
import Vault

/// Vaults that are sealed with the right key and hold what this program would not have written.
@Suite struct DamageTests {
    @Test func aLaterSchemaIsRefused() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, "PRAGMA user_version = 99"))
        #expect(openingFails(scratch.vault, key) == .newerVersion(found: 99, known: 1))
        #expect(openingFails(scratch.vault, key, .readOnly) == .newerVersion(found: 99, known: 1))
    }

    @Test func anEarlierSchemaIsBroughtUp() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, "CREATE TABLE before (x)"))
        let before = scratch.read("vault")
        #expect(openingFails(scratch.vault, key, .readOnly) == nil)
        #expect(scratch.read("vault") == before, "reading writes nothing")
        #expect(openingFails(scratch.vault, key) == nil)
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(report.isSound)
        #expect(scratch.read("vault") != before)
    }

    @Test func bytesThatAreNoDatabaseAreRefused() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let noise = [UInt8](repeating: 0xA5, count: 4_096)
        scratch.write("vault", unsafe noise.withUnsafeBytes { unsafe SealedImage.seal($0, with: key) })
        guard case .database = openingFails(scratch.vault, key) else {
            Issue.record("noise was taken for a database")
            return
        }
    }

    @Test func rowsThatMakeNoSenseAreReported() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.apply([.record(entry("1"))])
        }
        try scratch.write("vault", changed(scratch.read("vault"), with: key, "UPDATE history SET reason = 'eaten'"))
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(!report.isSound)
        #expect(report.description.contains("unknown direction or end"))
    }

    private func sealed(with key: VaultKey, _ sql: String) -> [UInt8] {
        var database: OpaquePointer?
        precondition(unsafe sqlite3_open(":memory:", &database) == SQLITE_OK)
        defer { unsafe sqlite3_close(database) }
        return unsafe serialized(database, sql, key)
    }

    /// Opens a sealed file behind the vault's back, runs `sql` and seals it again.
    private func changed(_ file: [UInt8], with key: VaultKey, _ sql: String) throws -> [UInt8] {
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
}
