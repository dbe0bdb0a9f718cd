import CSQLite

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
