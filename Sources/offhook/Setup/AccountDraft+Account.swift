import Base
import Control
import PhoneCore
import Vault

/// Makes accounts of drafts. Commands, setup and the control interface all do it here, so that the same texts are
/// right everywhere.
extension AccountDraft {
    /// - Parameters:
    ///   - present: The account that the draft changes; nil makes a new one.
    ///   - labels: The labels of the other accounts.
    package func account(
        changing present: Account? = nil, beside labels: [String] = []
    ) throws(AccountRefusal) -> Account {
        let kind = kind.flatMap(AccountServer.Kind.init) ?? present?.kind ?? .sip
        let usual = AccountDefaults(kind)
        // A new kind begins with its own usual values.
        let former = present?.kind == kind ? present : nil
        let transport = transport.flatMap(Account.Transport.init) ?? former?.transport ?? usual.transport
        let (password, token) = try secrets(present, kind)
        let user = try user(present, hasToken: token != nil)
        let (server, port) = try place(present, usual, transport)
        var account = Account(
            kind: kind, label: try label(present, beside: labels), user: user,
            authUser: try authUser(present, user, hasToken: token != nil),
            displayName: try optional(displayName, .displayName, present?.displayName), server: server, port: port,
            transport: transport, registers: registers ?? present?.registers ?? true,
            domain: try domain(present), password: password, token: token,
            protection: protection.flatMap(Account.Protection.init) ?? former?.protection ?? usual.protection,
            acceptsFrom: present?.acceptsFrom ?? "")
        account.ice = try ways(former, usual, account.host)
        account.allowsClearPassword = allowClearPassword ?? present?.allowsClearPassword ?? false
        if let present, account.isAtServer(of: present) { account.trust = present.trust }
        try checkVerto(account, usual)
        try checkClearness(account, present)
        return account
    }

    // MARK: Texts

    private func label(_ present: Account?, beside labels: [String]) throws(AccountRefusal) -> String {
        let label = try Self.checked(label ?? present?.label ?? "", .label)
        guard !labels.contains(label) else {
            throw AccountRefusal(.label, "an account \"\(label)\" already exists; choose another label")
        }
        return label
    }

    private func user(_ present: Account?, hasToken: Bool) throws(AccountRefusal) -> String {
        let user = user ?? present?.user ?? ""
        if user.isEmpty, hasToken { return "" }
        return try Self.checkedUser(user)
    }

    static func checkedUser(_ user: String) throws(AccountRefusal) -> String {
        guard try !checked(user, .user).contains(where: { $0 == "@" || $0.isWhitespace }) else {
            throw AccountRefusal(.user, "expected only the part of the address before the @")
        }
        return user
    }

    private func authUser(_ present: Account?, _ user: String, hasToken: Bool) throws(AccountRefusal) -> String? {
        guard hasToken else {
            let name = try optional(authUser, .authUser, present?.authUser)
            return name == user ? nil : name
        }
        guard authUser?.isEmpty != false else { throw AccountRefusal(.authUser, "a token replaces it") }
        return nil
    }

    private func domain(_ present: Account?) throws(AccountRefusal) -> String? {
        try optional(domain, .domain, present?.domain).map { domain throws(AccountRefusal) in
            try Self.checkedDomain(domain)
        }
    }

    static func checkedDomain(_ domain: String) throws(AccountRefusal) -> String {
        guard try parse(domain, .domain, allowsPath: false).port == nil else {
            throw AccountRefusal(.domain, "takes no port; give the port to the server")
        }
        return domain
    }

    /// The host, perhaps with a path, and the port of the server.
    private func place(
        _ present: Account?, _ usual: AccountDefaults, _ transport: Account.Transport
    ) throws(AccountRefusal) -> (host: String, port: UInt16?) {
        if let server { return try Self.parse(server, .server, allowsPath: transport.isWebSocket) }
        if let present, present.kind == usual.kind || usual.server == nil {
            guard transport.isWebSocket || present.path == "/" else {
                throw AccountRefusal(.server, "only a server over a WebSocket has a path; give the server again")
            }
            // The port may belong to the former kind.
            return (present.server, present.kind == usual.kind ? present.port : nil)
        }
        guard let server = usual.server else { throw AccountRefusal(.server, Self.needed) }
        return (server, nil)
    }

    private func optional(_ said: String?, _ field: Field, _ present: String?) throws(AccountRefusal) -> String? {
        guard let said else { return present }
        return said.isEmpty ? nil : try Self.checked(said, field)
    }

    static func checked(_ text: String, _ field: Field) throws(AccountRefusal) -> String {
        guard !text.isEmpty else { throw AccountRefusal(field, needed) }
        guard AccountCommand.isPrintable(text), text.utf8.count <= 256 else {
            throw AccountRefusal(
                field, "expected at most 256 bytes, without control characters and without spaces at the ends")
        }
        return text
    }

    private static func parse(
        _ text: String, _ field: Field, allowsPath: Bool
    ) throws(AccountRefusal) -> (host: String, port: UInt16?) {
        do {
            return try HostAndPort.parse(server: checked(text, field), allowsPath: allowsPath)
        } catch let refusal as AccountRefusal {
            throw refusal
        } catch {
            throw AccountRefusal(field, "\(error)")
        }
    }

    private static let needed = "an answer is needed"

    // MARK: Combinations

    /// SIP allows all values.
    private func checkVerto(_ account: Account, _ usual: AccountDefaults) throws(AccountRefusal) {
        guard usual.transports.contains(account.transport) else {
            throw AccountRefusal(.transport, "Verto needs ws or wss")
        }
        guard usual.protections.contains(account.protection) else {
            throw AccountRefusal(.protection, "Verto needs dtls")
        }
        guard usual.policies.contains(account.ice.policy) else {
            throw AccountRefusal(.ice, "Verto needs always or relayed")
        }
    }
}

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

/// The account's password or token, and who gets it.
extension AccountDraft {
    /// A secret stays unless somebody gives another one. A token and a password replace each other.
    func secrets(
        _ present: Account?, _ kind: AccountServer.Kind
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

/// The usual values of an account of this kind: the same for commands, setup and the control interface.
struct AccountDefaults {
    let kind: AccountServer.Kind

    init(_ kind: AccountServer.Kind) { self.kind = kind }

    var transport: Account.Transport { transports[0] }
    var protection: Account.Protection { protections[0] }
    var policy: Account.ICE.Policy { policies[0] }

    /// The values that the kind allows; the usual one is first.
    var transports: [Account.Transport] { kind == .sip ? [.udp, .tcp, .tls, .ws, .wss, .auto] : [.wss, .ws] }
    var protections: [Account.Protection] { kind == .sip ? [.mandatory, .dtls, .offered, .off] : [.dtls] }
    var policies: [Account.ICE.Policy] { kind == .sip ? [.answered, .off, .always, .relayed] : [.always, .relayed] }

    /// Nil: a person has to name the server.
    var server: String? { kind == .telnyx ? Self.telnyx : nil }

    /// - Parameter host: The account's server. The servers of its operator know no accounts of other operators.
    func stun(at host: String) -> [Account.ICE.Server] {
        isOperated(host) ? [Account.ICE.Server(host: "stun.telnyx.com", port: ICEServerText.usualPort)] : []
    }

    /// Over TCP, because a network that needs a relay mostly blocks UDP. User and password are public: every program
    /// that uses the operator's SDK has them.
    func turn(at host: String) -> [Account.ICE.Server] {
        guard isOperated(host) else { return [] }
        return [
            Account.ICE.Server(
                host: "turn.telnyx.com", port: ICEServerText.usualPort, transport: .tcp, user: "testuser",
                password: Redacted("testpassword"))
        ]
    }

    /// Server, STUN and TURN are those of the operator's own SDK (`InternalConfig` of telnyx-webrtc-ios 4.1.2).
    private static let telnyx = "rtc.telnyx.com"

    /// Regions have a name before the usual one.
    private func isOperated(_ host: String) -> Bool {
        let host = host.lowercased()
        return kind == .telnyx && (host == Self.telnyx || host.hasSuffix("." + Self.telnyx))
    }
}

/// Why a draft makes no account: the field at fault, and a reason for people.
package struct AccountRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    package let field: AccountDraft.Field
    let why: String

    init(_ field: AccountDraft.Field, _ why: String) { (self.field, self.why) = (field, why) }

    package var description: String { "\(field.rawValue): \(why)" }
}
