import Control
import Vault

extension AccountDraft {
    /// Makes the account if setup at the terminal would accept these answers, and throws otherwise.
    func account(beside labels: [String]) throws(SetupRefusal) -> Account {
        var found = SetupFindings(path: "", isSystem: true)
        found.accounts = labels
        let interview = SetupInterview(found)
        func checked(_ text: String, _ key: SetupKey) throws(SetupRefusal) -> String {
            do throws(SetupRefusal) {
                return try interview.checked(text, for: key)
            } catch {
                throw SetupRefusal("\(key.field): \(error)")
            }
        }
        func optional(_ text: String?, _ key: SetupKey) throws(SetupRefusal) -> String? {
            guard let text else { return nil }
            return try checked(text, key)
        }
        let transport = Account.Transport(rawValue: transport) ?? .udp
        let (host, port) = try Self.parse(checked(server, .server), transport)
        return Account(
            label: try checked(label, .label), user: try checked(user, .user),
            authUser: try optional(authUser == user ? nil : authUser, .authUser),
            displayName: try optional(displayName, .displayName), server: host, port: port,
            transport: transport, domain: try optional(domain, .domain),
            password: password, protection: Account.Protection(rawValue: protection) ?? .mandatory)
    }

    private static func parse(
        _ server: String, _ transport: Account.Transport
    ) throws(SetupRefusal) -> (host: String, port: UInt16?) {
        do {
            return try HostAndPort.parse(server: server, allowsPath: transport.isWebSocket)
        } catch {
            throw SetupRefusal("server: \(error)")
        }
    }
}

extension SetupKey {
    /// The answer's parameter name in `tryAccount`.
    fileprivate var field: String {
        switch self {
        case .authUser: "authUser"
        case .displayName: "displayName"
        default: String(rawValue.split(separator: ".").last ?? "")
        }
    }
}
