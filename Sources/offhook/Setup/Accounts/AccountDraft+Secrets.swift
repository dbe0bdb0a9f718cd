import Base
import Control
import Vault

/// The account's password or token, and who gets it.
extension AccountDraft {
    /// A secret stays unless somebody gives another one. A token and a password replace each other.
    func secrets(
        _ present: Account?, _ kind: Account.Kind
    ) throws(AccountRefusal) -> (password: Redacted<String>?, token: Redacted<String>?) {
        if let token, !token.reveal().isEmpty {
            guard kind == .telnyx else { throw AccountRefusal(.token, "only an account of kind telnyx has one") }
            guard password.map(\.isEmpty) ?? true else {
                throw AccountRefusal(.token, "it replaces the password; give one of them")
            }
            guard Account.isToken(token) else { throw AccountRefusal(.token, "expected \(Account.tokenRule)") }
            return (nil, token)
        }
        if let password, !password.isEmpty {
            guard password.reveal().utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw AccountRefusal(.password, "expected no control characters")
            }
            return (password, nil)
        }
        return (password == nil ? present?.password : nil, token == nil && kind == .telnyx ? present?.token : nil)
    }

    /// Rejects an account whose secret others could read. A stored secret goes to no other server, and takes no less
    /// protected way, unless somebody gives it again. Otherwise a program that may change accounts could learn it.
    func checkClearness(_ account: Account, _ present: Account?) throws(AccountRefusal) {
        guard !account.sendsPasswordInClear || account.allowsClearPassword else {
            throw AccountRefusal(
                .allowClearPassword,
                "Verto over ws sends the password unencrypted, and everybody on the path can read it; use wss, or "
                    + "allow it")
        }
        guard let present else { return }
        let keepsPassword = account.password != nil && password == nil
        guard keepsPassword || account.token != nil && token == nil else { return }
        guard account.isAtServer(of: present), account.secrecy >= present.secrecy else {
            let (field, name): (Field, String) = keepsPassword ? (.password, "password") : (.token, "token")
            throw AccountRefusal(field, "another server, or a less protected way to it, needs the \(name) again")
        }
    }
}

extension Account {
    func isAtServer(of other: Account) -> Bool { host.lowercased() == other.host.lowercased() }

    /// How well the way to the server hides the password, from 0. Verto sends it as it is, SIP only a digest.
    fileprivate var secrecy: Int {
        let isEncrypted = transport == .tls || transport == .wss
        return (isEncrypted ? 2 : 0) + (kind == .sip ? 1 : 0)
    }
}

extension Redacted<String> {
    var isEmpty: Bool { reveal().isEmpty }
}
