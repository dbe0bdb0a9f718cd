/// The table of settings: names and texts.
extension Database {
    func setting(_ name: String) throws(SQLiteError) -> String? {
        try rows("SELECT value FROM setting WHERE name = ?", [.text(name)]) { (row) throws(SQLiteError) in
            try row.text(0)
        }.first
    }

    /// Nil removes the setting.
    func set(_ name: String, to value: String?) throws(SQLiteError) {
        guard let value else { return try run("DELETE FROM setting WHERE name = ?", [.text(name)]) }
        try run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [.text(name), .text(value)])
    }

    func settingCount() throws(SQLiteError) -> Int { Int(try number("SELECT count(*) FROM setting")) }
}
