import CSQLite

/// One prepared statement, which is finalised exactly once. Its text is part of the program and never contains data.
@safe
struct Statement: ~Copyable {
    private let raw: OpaquePointer
    private let connection: OpaquePointer

    @unsafe
    init(_ sql: StaticString, on connection: OpaquePointer) throws(SQLiteError) {
        var raw: OpaquePointer?
        let code = sql.withUTF8Buffer { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe sqlite3_prepare_v2(connection, text.baseAddress, Int32(text.count), &raw, nil)
            }
        }
        guard code == SQLITE_OK, let raw = unsafe raw else { throw unsafe SQLiteError(code, on: connection) }
        unsafe self.connection = connection
        unsafe self.raw = raw
    }

    deinit { _ = unsafe sqlite3_finalize(raw) }

    /// Binds the values to the statement's parameters, in order. There must be as many values as parameters.
    func bind(_ values: [SQLValue]) throws(SQLiteError) {
        precondition(unsafe values.count == Int(sqlite3_bind_parameter_count(raw)), "every parameter has a value")
        for (index, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(raw, index)
                case .integer(let number): unsafe sqlite3_bind_int64(raw, index, number)
                case .real(let number): unsafe sqlite3_bind_double(raw, index, number)
                case .text(let text): unsafe csqlite_bind_text(raw, index, text, Int32(text.utf8.count))
                }
            guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: connection) }
        }
    }

    /// Moves to the next row; false at the end.
    func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(raw) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw unsafe SQLiteError(code, on: connection)
        }
    }

    func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        try require(SQLITE_INTEGER, column)
        return unsafe sqlite3_column_int64(raw, column)
    }

    func real(_ column: Int32) throws(SQLiteError) -> Double {
        try require(SQLITE_FLOAT, column)
        return unsafe sqlite3_column_double(raw, column)
    }

    func text(_ column: Int32) throws(SQLiteError) -> String {
        try require(SQLITE_TEXT, column)
        let start = unsafe sqlite3_column_text(raw, column)
        let count = unsafe Int(sqlite3_column_bytes(raw, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func flag(_ column: Int32) throws(SQLiteError) -> Bool { try integer(column) != 0 }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(raw, column) == SQLITE_NULL }

    func optionalInteger(_ column: Int32) throws(SQLiteError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    func optionalReal(_ column: Int32) throws(SQLiteError) -> Double? { isNull(column) ? nil : try real(column) }

    func optionalText(_ column: Int32) throws(SQLiteError) -> String? { isNull(column) ? nil : try text(column) }

    /// Without this check SQLite would convert the value silently. Another type than the schema's means damaged data.
    private func require(_ type: Int32, _ column: Int32) throws(SQLiteError) {
        let found = unsafe sqlite3_column_type(raw, column)
        guard found == type else { throw .unexpected("column \(column) has type \(found) where \(type) belongs") }
    }
}

/// A value for one parameter of a statement.
enum SQLValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    init(_ number: Int64?) { self = number.map(SQLValue.integer) ?? .null }
    init(_ number: Double?) { self = number.map(SQLValue.real) ?? .null }
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
