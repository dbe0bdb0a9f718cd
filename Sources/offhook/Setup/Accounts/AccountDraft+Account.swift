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
        let kind = kind.flatMap(Account.Kind.init) ?? present?.kind ?? .sip
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
        try checkVerto(account)
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

    private func checkVerto(_ account: Account) throws(AccountRefusal) {
        guard account.kind != .sip else { return }
        guard account.transport.isWebSocket else { throw AccountRefusal(.transport, "Verto needs ws or wss") }
        guard account.protection == .dtls else { throw AccountRefusal(.protection, "Verto needs dtls") }
        guard [.always, .relayed].contains(account.ice.policy) else {
            throw AccountRefusal(.ice, "Verto needs always or relayed")
        }
    }
}
