/// The tables, as an ordered list of migration steps, which update the vault of any earlier release. Steps may be
/// added, but never changed.
enum Schema {
    /// Step n, counted from 1, brings a database of version n - 1 to version n. Its last statement records that
    /// version.
    static let migrations: [[StaticString]] = [
        [
            """
            CREATE TABLE account (
                id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, user TEXT NOT NULL, auth_user TEXT,
                display_name TEXT, server TEXT NOT NULL, port INTEGER, transport TEXT NOT NULL,
                registers INTEGER NOT NULL, domain TEXT, password TEXT, protection TEXT NOT NULL,
                accepts_from TEXT NOT NULL, created_ms INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE persisted_call (
                id INTEGER PRIMARY KEY CHECK (id = 1), call TEXT NOT NULL, direction TEXT NOT NULL,
                number TEXT NOT NULL, name TEXT, account INTEGER NOT NULL, boot TEXT, started_ns INTEGER NOT NULL,
                answered_ns INTEGER NOT NULL, started_ms INTEGER NOT NULL, answered_ms INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE history (
                id INTEGER PRIMARY KEY AUTOINCREMENT, direction TEXT NOT NULL, number TEXT NOT NULL, name TEXT,
                account INTEGER NOT NULL, started_ms INTEGER NOT NULL, answered_ms INTEGER,
                ended_ms INTEGER NOT NULL, reason TEXT NOT NULL, missed INTEGER NOT NULL,
                seen INTEGER NOT NULL DEFAULT 0, has_quality INTEGER NOT NULL, opinion_score REAL, jitter_ms REAL,
                round_trip_ms REAL, loss_percent REAL, concealed_percent REAL, buffer_ms REAL
            ) STRICT
            """,
            "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
            "PRAGMA user_version = 1",
        ],
        [
            "ALTER TABLE persisted_call ADD COLUMN memo TEXT",
            "ALTER TABLE history ADD COLUMN organisation TEXT",
            "ALTER TABLE history ADD COLUMN missed_reason TEXT",
            // These columns identify a call by the instant of its beginning. Older calls have no value.
            "ALTER TABLE history ADD COLUMN boot TEXT",
            "ALTER TABLE history ADD COLUMN started_ns INTEGER",
            """
            UPDATE history SET missed_reason = CASE reason
                WHEN 'hung up there' THEN 'remote hung up' WHEN 'cancelled there' THEN 'remote hung up'
                WHEN 'hung up here' THEN 'declined' WHEN 'declined' THEN 'declined'
                WHEN 'no answer' THEN 'timeout' WHEN 'refused busy' THEN 'rejected: busy' ELSE 'failed' END
            WHERE missed = 1
            """,
            // The column `missed_reason` holds this information now.
            "ALTER TABLE history DROP COLUMN missed",
            """
            CREATE TABLE contact (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, number TEXT NOT NULL UNIQUE, ring TEXT,
                blocked INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE organisation_context (
                id INTEGER PRIMARY KEY CHECK (id = 1), account INTEGER NOT NULL, organisation TEXT NOT NULL,
                organisation_name TEXT NOT NULL, user TEXT NOT NULL, password TEXT NOT NULL, caller_name TEXT,
                caller_number TEXT
            ) STRICT
            """,
            "PRAGMA user_version = 2",
        ],
        [
            "ALTER TABLE account ADD COLUMN device TEXT NOT NULL DEFAULT ''",
            "UPDATE account SET device = lower(hex(randomblob(16)))",
            "PRAGMA user_version = 3",
        ],
        [
            "ALTER TABLE history ADD COLUMN protection TEXT",
            """
            CREATE TABLE token (
                id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, digest TEXT NOT NULL,
                created_ms INTEGER NOT NULL
            ) STRICT
            """,
            "PRAGMA user_version = 4",
        ],
        [
            """
            CREATE TABLE account_trust (
                account INTEGER PRIMARY KEY, hash TEXT, has_client_nonce INTEGER NOT NULL, realm TEXT,
                over_tls INTEGER NOT NULL
            ) STRICT
            """,
            "PRAGMA user_version = 5",
        ],
        [
            "CREATE TABLE certificate (id INTEGER PRIMARY KEY CHECK (id = 1), der TEXT NOT NULL, key TEXT NOT NULL) STRICT",
            """
            CREATE TABLE peer_key (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL, number TEXT NOT NULL, fingerprint TEXT NOT NULL,
                UNIQUE (account, number)
            ) STRICT
            """,
            "PRAGMA user_version = 6",
        ],
        [
            "CREATE TABLE account_ice (account INTEGER PRIMARY KEY, policy TEXT NOT NULL) STRICT",
            """
            CREATE TABLE ice_server (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL,
                transport TEXT NOT NULL, user TEXT, password TEXT
            ) STRICT
            """,
            "ALTER TABLE account ADD COLUMN kind TEXT NOT NULL DEFAULT 'sip'",
            "PRAGMA user_version = 7",
        ],
        [
            "ALTER TABLE account ADD COLUMN token TEXT",
            "PRAGMA user_version = 8",
        ],
        [
            "ALTER TABLE account ADD COLUMN allows_clear_password INTEGER NOT NULL DEFAULT 0",
            "PRAGMA user_version = 9",
        ],
        [
            """
            CREATE TABLE ringing_call (
                call TEXT PRIMARY KEY, number TEXT NOT NULL, name TEXT, called TEXT, organisation TEXT,
                organisation_name TEXT, organisation_slug TEXT, account INTEGER NOT NULL, boot TEXT,
                started_ns INTEGER NOT NULL, started_ms INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "ALTER TABLE history ADD COLUMN called TEXT",
            "ALTER TABLE organisation_context ADD COLUMN organisation_slug TEXT",
            "PRAGMA user_version = 10",
        ],
        [
            "CREATE TABLE backend_record (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
            "CREATE TABLE device (id INTEGER PRIMARY KEY CHECK (id = 1), uuid TEXT NOT NULL) STRICT",
            // The phone was known by its oldest account's device before.
            """
            INSERT INTO device SELECT 1,
                coalesce((SELECT device FROM account ORDER BY id LIMIT 1), lower(hex(randomblob(16))))
            """,
            "ALTER TABLE organisation_context ADD COLUMN login_token TEXT",
            // The context that a change of organisation tries, until its line has registered.
            """
            CREATE TABLE tried_context (
                id INTEGER PRIMARY KEY CHECK (id = 1), account INTEGER NOT NULL, organisation TEXT NOT NULL,
                organisation_name TEXT NOT NULL, user TEXT NOT NULL, password TEXT NOT NULL, caller_name TEXT,
                caller_number TEXT, organisation_slug TEXT, login_token TEXT
            ) STRICT
            """,
            "PRAGMA user_version = 11",
        ],
        [
            // The call server of the organisation, if the backend names one.
            "ALTER TABLE organisation_context ADD COLUMN kind TEXT",
            "ALTER TABLE organisation_context ADD COLUMN server TEXT",
            "ALTER TABLE organisation_context ADD COLUMN transport TEXT",
            "ALTER TABLE tried_context ADD COLUMN kind TEXT",
            "ALTER TABLE tried_context ADD COLUMN server TEXT",
            "ALTER TABLE tried_context ADD COLUMN transport TEXT",
            "PRAGMA user_version = 12",
        ],
    ]

    static var version: Int { migrations.count }

    /// Runs the missing steps.
    /// - Returns: Whether there were any.
    static func migrate(_ database: borrowing Database) throws(VaultError) -> Bool {
        let found = try database.version()
        guard found <= version else { throw .newerVersion(found: found, known: version) }
        for step in migrations[max(found, 0)...] {
            try database.changing { (database) throws(SQLiteError) in
                for statement in step { try database.run(statement) }
            }
        }
        let reached = try database.version()
        precondition(reached == version, "each step ends with its own version")
        return found < version
    }
}

extension Database {
    fileprivate func version() throws(VaultError) -> Int {
        try asking { (database) throws(SQLiteError) in Int(try database.number("PRAGMA user_version")) }
    }
}
