import Base
import PhoneCore

/// The table of accounts. Identifiers are never used twice, so that the history never refers to another account.
extension Database {
    func insertAccount(_ account: Account, at now: WallTime) throws(SQLiteError) -> AccountID {
        try run(
            """
            INSERT INTO account (label, user, auth_user, display_name, server, port, transport, registers, domain,
                password, protection, accepts_from, created_ms, kind, token, allows_clear_password, device)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, lower(hex(randomblob(16))))
            """,
            [
                .text(account.label), .text(account.user), SQLValue(account.authUser), SQLValue(account.displayName),
                .text(account.server), SQLValue(account.port.map(Int64.init)), .text(account.transport.rawValue),
                SQLValue(account.registers), SQLValue(account.domain), SQLValue(account.password?.reveal()),
                .text(account.protection.rawValue), .text(account.acceptsFrom), .integer(now.unixMilliseconds),
                .text(account.kind.rawValue), SQLValue(account.token?.reveal()),
                SQLValue(account.allowsClearPassword),
            ])
        let id = AccountID(lastInserted)
        if account.ice != Account.ICE() { try keep(account.ice, of: id) }
        if !account.trust.isEmpty { try keep(account.trust, of: id) }
        return id
    }

    func accounts() throws(SQLiteError) -> [StoredAccount] {
        let (trusts, ways) = (try trusts(), try ice())
        return try rows(
            """
            SELECT id, label, user, auth_user, display_name, server, port, transport, registers, domain, password,
                protection, accepts_from, created_ms, device, kind, token, allows_clear_password FROM account ORDER BY id
            """
        ) { (row) throws(SQLiteError) in
            guard let transport = Account.Transport(rawValue: try row.text(7)),
                let protection = Account.Protection(rawValue: try row.text(11)),
                let kind = Account.Kind(rawValue: try row.text(15))
            else { throw .unexpected("an account has an unknown kind, transport or protection") }
            let id = AccountID(try row.integer(0))
            var account = Account(
                kind: kind, label: try row.text(1), user: try row.text(2), authUser: try row.optionalText(3),
                displayName: try row.optionalText(4), server: try row.text(5),
                port: try row.optionalInteger(6).map { UInt16(clamping: $0) }, transport: transport,
                registers: try row.flag(8), domain: try row.optionalText(9),
                password: try row.optionalText(10).map { Redacted($0) }, protection: protection,
                acceptsFrom: try row.text(12))
            account.token = try row.optionalText(16).map { Redacted($0) }
            account.allowsClearPassword = try row.flag(17)
            account.ice = ways[id] ?? Account.ICE()
            account.trust = trusts[id] ?? LineTrust()
            return StoredAccount(
                id: id, created: WallTime(unixMilliseconds: try row.integer(13)), device: try row.text(14),
                account: account)
        }
    }

    func deleteAccount(_ id: AccountID) throws(SQLiteError) {
        try deleteTrust(of: id)
        try deleteICE(of: id)
        try forgetKeys(of: id)
        try run("DELETE FROM account WHERE id = ?", [.integer(id.rawValue)])
    }
}
