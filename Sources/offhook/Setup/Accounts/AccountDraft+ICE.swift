import Base
import Control
import Vault

/// The account's ICE and its servers.
extension AccountDraft {
    /// - Parameters:
    ///   - former: The account that the draft changes; nil: usual values.
    ///   - host: The account's server.
    func ways(_ former: Account?, _ usual: AccountDefaults, _ host: String) throws(AccountRefusal) -> Account.ICE {
        let policy = ice.flatMap(Account.ICE.Policy.init) ?? former?.ice.policy ?? usual.policy
        let stun = try stun.map { list throws(AccountRefusal) in try ICEServerText.stun(list) }
        let turn = try relays(former?.ice.servers.filter { $0.user != nil } ?? usual.turn(at: host))
        guard policy != .off else {
            guard stun?.isEmpty != false, self.turn?.isEmpty != false else {
                throw AccountRefusal(.ice, "off excludes STUN and TURN")
            }
            return Account.ICE(.off)
        }
        guard policy != .relayed || !turn.isEmpty else { throw AccountRefusal(.turn, "relayed needs a TURN server") }
        let known = former?.ice.servers.filter { $0.user == nil } ?? usual.stun(at: host)
        return Account.ICE(policy, servers: (stun ?? known) + turn)
    }

    /// The TURN servers with their passwords. A stored password goes only to the server that it belongs to.
    private func relays(_ known: [Account.ICE.Server]) throws(AccountRefusal) -> [Account.ICE.Server] {
        var servers = try turn.map { list throws(AccountRefusal) in try ICEServerText.turn(list) } ?? known
        let password = turnPassword.flatMap { $0.isEmpty ? nil : $0 }
        guard password == nil || !servers.isEmpty else {
            throw AccountRefusal(.turnPassword, "there is no TURN server")
        }
        guard turn != nil || password != nil else { return known }
        for index in servers.indices {
            let same = known.first { $0.isSame(as: servers[index]) }
            guard let password = password ?? same?.password else {
                throw AccountRefusal(.turnPassword, "a TURN server needs a password")
            }
            servers[index].password = password
        }
        return servers
    }
}

extension Account.ICE.Server {
    fileprivate func isSame(as other: Self) -> Bool {
        host == other.host && port == other.port && transport == other.transport && user == other.user
    }
}
