import Base
import PhoneCore

/// The table of accounts. An identifier always belongs to the same label, so that the history never refers to another
/// account.
extension Database {
    /// An account whose label was removed earlier gets its old identifier and device back. A person who removes an
    /// account and adds it again only changes it, and the phone continues to dial with it.
    func insertAccount(_ account: Account, at now: WallTime) throws(SQLiteError) -> AccountID {
        try insert(account, as: try takeFormer(account.label), at: now)
    }

    /// Like `insertAccount`, but the account takes the place, the identifier and the device of a known one.
    func replaceAccount(
        _ known: AccountID?, with account: Account, at now: WallTime
    ) throws(SQLiteError) -> AccountID {
        guard let known, let stored = try accounts().first(where: { $0.id == known }) else {
            return try insertAccount(account, at: now)
        }
        let former = FormerAccount(id: stored.id, device: stored.device, label: stored.account.label)
        try remove(known)
        return try insert(account, as: former, at: stored.created)
    }

    func updateAccount(_ id: AccountID, to account: Account) throws(SQLiteError) {
        guard let stored = try accounts().first(where: { $0.id == id }) else { return }
        let staysAtServer = stored.account.isAtSameServer(as: account)
        try run(
            """
            UPDATE account SET label = ?, user = ?, auth_user = ?, display_name = ?, server = ?, port = ?,
                transport = ?, registers = ?, domain = ?, password = ?, protection = ?, accepts_from = ?, kind = ?,
                token = ?, allows_clear_password = ? WHERE id = ?
            """, values(of: account) + [.integer(id.rawValue)])
        try deleteICE(of: id)
        if account.ice != Account.ICE() { try keep(account.ice, of: id) }
        guard !staysAtServer else { return }
        try deleteTrust(of: id)
        try forgetKeys(of: id)
    }

    private func values(of account: Account) -> [SQLValue] {
        [
            .text(account.label), .text(account.user), SQLValue(account.authUser), SQLValue(account.displayName),
            .text(account.server), SQLValue(account.port.map(Int64.init)), .text(account.transport.rawValue),
            SQLValue(account.registers), SQLValue(account.domain), SQLValue(account.password?.reveal()),
            .text(account.protection.rawValue), .text(account.acceptsFrom), .text(account.kind.rawValue),
            SQLValue(account.token?.reveal()), SQLValue(account.allowsClearPassword),
        ]
    }

    private func insert(
        _ account: Account, as former: FormerAccount?, at now: WallTime
    ) throws(SQLiteError) -> AccountID {
        try run(
            """
            INSERT INTO account (label, user, auth_user, display_name, server, port, transport, registers, domain,
                password, protection, accepts_from, kind, token, allows_clear_password, id, created_ms, device)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, lower(hex(randomblob(16)))))
            """,
            values(of: account) + [
                SQLValue(former?.id.rawValue), .integer(now.unixMilliseconds), SQLValue(former?.device),
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
                let kind = AccountServer.Kind(rawValue: try row.text(15))
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
        if let stored = try accounts().first(where: { $0.id == id }) {
            try keep(formers() + [FormerAccount(id: id, device: stored.device, label: stored.account.label)])
        }
        try remove(id)
    }

    private func remove(_ id: AccountID) throws(SQLiteError) {
        try deleteTrust(of: id)
        try deleteICE(of: id)
        try forgetKeys(of: id)
        try run("DELETE FROM account WHERE id = ?", [.integer(id.rawValue)])
    }
}

/// A removed account.
private struct FormerAccount {
    let id: AccountID
    let device: String
    let label: String
}

/// The last removed accounts, in a setting: one line each, the newest last. A label has no line break.
extension Database {
    private static let former = "account.former"
    private static let formersMaximum = 16

    private func formers() throws(SQLiteError) -> [FormerAccount] {
        (try setting(Database.former) ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let id = Int64(parts[0]) else { return nil }
            return FormerAccount(id: AccountID(id), device: String(parts[1]), label: String(parts[2]))
        }
    }

    private func keep(_ formers: [FormerAccount]) throws(SQLiteError) {
        let lines = formers.suffix(Database.formersMaximum).map { "\($0.id.rawValue) \($0.device) \($0.label)" }
        try set(Database.former, to: lines.isEmpty ? nil : lines.joined(separator: "\n"))
    }

    /// Returns the former account with this label, and removes it from the list.
    private func takeFormer(_ label: String) throws(SQLiteError) -> FormerAccount? {
        var formers = try formers()
        guard let index = formers.lastIndex(where: { $0.label == label }) else { return nil }
        let former = formers.remove(at: index)
        try keep(formers)
        return former
    }
}

/// The accounts' ICE settings: one row for each account with other than the default settings, and one for each server.
extension Database {
    func keep(_ ice: Account.ICE, of id: AccountID) throws(SQLiteError) {
        try run(
            "INSERT INTO account_ice (account, policy) VALUES (?, ?)",
            [.integer(id.rawValue), .text(ice.policy.rawValue)])
        for server in ice.servers {
            try run(
                "INSERT INTO ice_server (account, host, port, transport, user, password) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .integer(id.rawValue), .text(server.host), .integer(Int64(server.port)),
                    .text(server.transport.rawValue), SQLValue(server.user), SQLValue(server.password?.reveal()),
                ])
        }
    }

    /// The accounts' ICE settings. An account without an entry has the defaults.
    func ice() throws(SQLiteError) -> [AccountID: Account.ICE] {
        let policies = try rows("SELECT account, policy FROM account_ice") { (row) throws(SQLiteError) in
            guard let policy = Account.ICE.Policy(rawValue: try row.text(1)) else {
                throw .unexpected("an account has an unknown ICE policy")
            }
            return (AccountID(try row.integer(0)), policy)
        }
        var found: [AccountID: Account.ICE] = [:]
        for (id, policy) in policies { found[id] = Account.ICE(policy) }
        let servers = try rows("SELECT account, host, port, transport, user, password FROM ice_server ORDER BY id") {
            (row) throws(SQLiteError) in
            guard let transport = Account.ICE.Transport(rawValue: try row.text(3)) else {
                throw .unexpected("an ICE server has an unknown transport")
            }
            let server = Account.ICE.Server(
                host: try row.text(1), port: UInt16(clamping: try row.integer(2)), transport: transport,
                user: try row.optionalText(4), password: try row.optionalText(5).map { Redacted($0) })
            return (AccountID(try row.integer(0)), server)
        }
        for (id, server) in servers { found[id]?.servers.append(server) }
        return found
    }

    func deleteICE(of id: AccountID) throws(SQLiteError) {
        try run("DELETE FROM ice_server WHERE account = ?", [.integer(id.rawValue)])
        try run("DELETE FROM account_ice WHERE account = ?", [.integer(id.rawValue)])
    }
}
