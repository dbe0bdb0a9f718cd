import CSQLite

/// One database that lives in memory only. It is opened from an image and saved as an image.
///
/// - Note: `@unchecked Sendable` because the value cannot be copied: its owner is its only user, on any thread, and
///   SQLite does not tie a connection to a thread.
@safe
struct Database: ~Copyable, @unchecked Sendable {
    static let bytesMaximum = 16 << 20

    private let raw: OpaquePointer

    /// - Parameter image: Bytes from an earlier `withImage`; empty for a new database.
    init(_ image: consuming ClearImage) throws(SQLiteError) {
        let raw = unsafe try Database.open()
        do {
            unsafe try Database.load(image, into: raw)
            unsafe try Database.configure(raw)
        } catch {
            _ = unsafe sqlite3_close_v2(raw)
            throw error
        }
        unsafe self.raw = raw
    }

    deinit { _ = unsafe sqlite3_close_v2(raw) }

    /// Runs a statement that returns no rows.
    func run(_ sql: StaticString, _ values: [SQLValue] = []) throws(SQLiteError) {
        let statement = unsafe try Statement(sql, on: raw)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Runs a query and turns each of its rows into a value.
    func rows<Value>(
        _ sql: StaticString, _ values: [SQLValue] = [],
        _ read: (borrowing Statement) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        let statement = unsafe try Statement(sql, on: raw)
        try statement.bind(values)
        var found: [Value] = []
        while try statement.step() { found.append(try read(statement)) }
        return found
    }

    /// The one number that a query such as `SELECT count(*)` returns.
    func number(_ sql: StaticString) throws(SQLiteError) -> Int64 {
        let found = try rows(sql) { (row) throws(SQLiteError) in try row.integer(0) }
        guard let first = found.first else { throw .unexpected("\(sql) gave nothing") }
        return first
    }

    /// The key of the last inserted row.
    var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(raw) }

    /// Does all of `body` or, if `body` throws, nothing.
    func transaction<Value>(
        _ body: (borrowing Database) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value {
        try run("BEGIN")
        do {
            let value = try body(self)
            try run("COMMIT")
            return value
        } catch {
            // SQLite rolls back on its own after some errors.
            if unsafe sqlite3_get_autocommit(raw) == 0 { try run("ROLLBACK") }
            throw error
        }
    }

    /// Lends the database's bytes without a copy. Not inside a transaction.
    func withImage<Value: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        precondition(unsafe sqlite3_get_autocommit(raw) != 0, "an image is taken between transactions")
        var size: sqlite3_int64 = 0
        let start = unsafe sqlite3_serialize(raw, "main", &size, UInt32(SQLITE_SERIALIZE_NOCOPY))
        precondition(unsafe start != nil, "the database was deserialised, so its bytes are in one piece")
        return unsafe try body(UnsafeRawBufferPointer(start: start, count: Int(size)))
    }

    func copyImage() throws(SQLiteError) -> ClearImage {
        unsafe try withImage { (bytes) throws(SQLiteError) in unsafe try ClearImage(copying: bytes) }
    }

    private static func open() throws(SQLiteError) -> OpaquePointer {
        var raw: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(":memory:", &raw, flags, nil)
        guard let raw = unsafe raw else { throw .outOfMemory }
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteError(code, on: raw)
            _ = unsafe sqlite3_close_v2(raw)
            throw error
        }
        return unsafe raw
    }

    private static func load(_ image: consuming ClearImage, into raw: OpaquePointer) throws(SQLiteError) {
        let (count, capacity) = (image.count, image.capacity)
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        // SQLite frees the memory, even on failure.
        let start = unsafe image.release().assumingMemoryBound(to: UInt8.self)
        let code = unsafe sqlite3_deserialize(raw, "main", start, sqlite3_int64(count), sqlite3_int64(capacity), flags)
        guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: raw) }
        var limit = sqlite3_int64(bytesMaximum)
        let limited = unsafe sqlite3_file_control(raw, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit)
        guard limited == SQLITE_OK else { throw unsafe SQLiteError(limited, on: raw) }
    }

    /// Nothing may reach a disk unsealed, so journals and temporary tables stay in memory.
    private static func configure(_ raw: OpaquePointer) throws(SQLiteError) {
        let defended = unsafe csqlite_defend(raw)
        guard defended == SQLITE_OK else { throw unsafe SQLiteError(defended, on: raw) }
        let settings: [StaticString] = [
            "PRAGMA page_size = 1024", "PRAGMA temp_store = MEMORY", "PRAGMA journal_mode = MEMORY",
            "PRAGMA secure_delete = ON", "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON",
        ]
        for setting in settings {
            let statement = unsafe try Statement(setting, on: raw)
            while try statement.step() {}
        }
    }
}

extension SQLiteError {
    static let outOfMemory = SQLiteError(code: SQLITE_NOMEM, message: "out of memory")

    /// Stored data that this program would not write.
    static func unexpected(_ what: String) -> SQLiteError { SQLiteError(code: SQLITE_MISMATCH, message: what) }

    @unsafe
    init(_ code: Int32, on connection: OpaquePointer) {
        let text = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        self.init(code: code, message: text ?? "unknown error")
    }
}

/// A failure from SQLite: its extended result code and message, which never contains a bound value.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    public let code: Int32
    public let message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (SQLite \(code))" }
}

/// The bytes of a database file, in memory that SQLite can take over. The memory is wiped when the value ends.
@safe
package struct ClearImage: ~Copyable {
    private let start: UnsafeMutableRawPointer
    package let count: Int
    let capacity: Int

    init(copying bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        // An empty image still needs an address.
        let capacity = max(bytes.count, 4_096)
        guard let start = unsafe sqlite3_malloc64(UInt64(capacity)) else { throw .outOfMemory }
        if let source = bytes.baseAddress { unsafe start.copyMemory(from: source, byteCount: bytes.count) }
        (count, self.capacity) = (bytes.count, capacity)
        unsafe self.start = start
    }

    /// The image of a database without tables.
    static func empty() throws(SQLiteError) -> ClearImage {
        unsafe try ClearImage(copying: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    deinit {
        unsafe wipe(UnsafeMutableRawBufferPointer(start: start, count: capacity))
        unsafe sqlite3_free(start)
    }

    /// Gives the memory to the caller, which must free it with `sqlite3_free`.
    package consuming func release() -> UnsafeMutableRawPointer {
        let start = unsafe self.start
        discard self
        return unsafe start
    }
}
