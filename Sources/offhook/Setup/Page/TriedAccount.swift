import Control
import JSON
import Lines
import Vault

/// An account that was tried at its server. It may be added.
struct TriedAccount {
    let number: Int64
    let account: Account
    let trust: ServerTrust
    let verdict: RegistrationVerdict

    /// Everything except the secrets.
    var json: JSONValue {
        var members = account.setupMembers.merging(verdict.setupMembers(account.server)) { own, _ in own }
        members["trial"] = .integer(number)
        // The account also needs these values in the configuration; `planSetup` shows them.
        members["pin"] = trust.pin.map { .string($0.text) } ?? .null
        members["authorities"] = trust.authorities.map { .string($0) } ?? .null
        members["keeps"] = .string(account.addition)
        return .object(members)
    }
}

extension Account {
    /// The account for programs, without its secrets.
    var setupMembers: [String: JSONValue] {
        let host = host.contains(":") ? "[\(host)]" : host
        let (relays, others) = (ice.servers.filter { $0.user != nil }, ice.servers.filter { $0.user == nil })
        return [
            "label": .string(label), "kind": .string(kind.rawValue), "user": .string(user),
            "server": .string(host + (port.map { ":\($0)" } ?? "") + (path == "/" ? "" : path)),
            "authUser": authUser.map { .string($0) } ?? .null,
            "displayName": displayName.map { .string($0) } ?? .null, "domain": domain.map { .string($0) } ?? .null,
            "transport": .string(transport.rawValue),
            "protection": .string(protection.rawValue), "registers": .bool(registers),
            "ice": .string(ice.policy.rawValue), "stun": .string(ICEServerText.text(others)),
            "turn": .string(ICEServerText.text(relays)), "password": .bool(password != nil),
            "token": .bool(token != nil), "allowClearPassword": .bool(allowsClearPassword),
        ]
    }
}
