import Control
import JSON
import Lines
import Vault

/// An account that was tried at its server. It may be stored.
struct TriedAccount {
    let number: Int64
    let account: Account
    let trust: ServerTrust
    let verdict: RegistrationVerdict

    /// Everything except the password.
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
    /// The account for programs, without its password.
    var setupMembers: [String: JSONValue] {
        let host = server.contains(":") ? "[\(server)]" : server
        return [
            "label": .string(label), "user": .string(user), "server": .string(host + (port.map { ":\($0)" } ?? "")),
            "transport": .string(transport.rawValue), "protection": .string(protection.rawValue),
            "password": .bool(password != nil),
        ]
    }
}
