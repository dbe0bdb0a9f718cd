import Base
import PhoneCore

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
