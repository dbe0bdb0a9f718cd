import Base
import Glibc
import Panel
import Platform
import Vault
import YAML

/// The changes that setup will make: files, a vault and an account. Setup shows them before it makes them.
struct SetupPlan {
    /// The user of `systemd/offhook.sysusers`.
    static let serviceUser = "offhook"

    let files: [FileChange]
    let keyPlace: KeyPlace?
    private let account: Account?
    private let settings: Settings
    private let isSystem: Bool

    /// - Throws: If the phone could not read the new files.
    init(_ interview: SetupInterview) throws {
        let configuration = try interview.configuration()
        settings = try Settings(configuration.after, path: configuration.path)
        files = [interview.board, configuration].compactMap(\.self).filter(\.isNeeded)
        if let board = interview.board {
            let _: Board = try YAMLDocument(Array(board.after.utf8), file: board.path).read()
        }
        (keyPlace, account, isSystem) = (interview.keyPlace, try interview.account, interview.found.isSystem)
    }

    var isEmpty: Bool { files.isEmpty && keyPlace == nil && account == nil }

    var description: String {
        var lines = files.flatMap(\.diff)
        if let keyPlace { lines.append("new vault \(settings.vaultFile), place of its key: \(keyPlace.rawValue)") }
        if let account { lines.append(account.addition) }
        return lines.joined(separator: "\n")
    }

    /// Makes the changes. The vault comes first: if a running phone has locked it, nothing has been written yet.
    /// - Returns: The key of a new vault.
    func carryOut(sealing: SealingOptions, passphrase: Redacted<String>?) throws -> VaultKey? {
        var key: VaultKey?
        if let keyPlace {
            try makeVaultFolder()
            key = try VaultMaking(settings: settings, sealing: sealing).make(keyPlace) {
                guard let passphrase else { throw CommandError("no passphrase") }
                return passphrase
            }
        }
        if let account {
            try VaultAccess(settings: settings, credential: sealing.credential).add(account, by: key)
            print("\(account.label): added")
        }
        for line in try writeFiles() { print(line) }
        try StandardOutput.flush()
        return key
    }

    /// - Returns: The written files, for people.
    func writeFiles() throws(CommandError) -> [String] {
        var lines: [String] = []
        for file in files { lines += try file.write() }
        return lines
    }

    /// Creates the vault's folder. For a service, root gives it to the service's user.
    private func makeVaultFolder() throws(CommandError) {
        let folder = settings.vaultFile.openedFolder
        var status = stat()
        guard unsafe stat(folder, &status) != 0 else { return }
        try FileChange.makeFolder(folder, mode: 0o700)
        guard geteuid() == 0, isSystem else { return }
        guard let user = UserEntry(Self.serviceUser) else {
            throw CommandError("there is no user \(Self.serviceUser): run systemd-sysusers (see README.md)")
        }
        guard unsafe chown(folder, user.identifier, user.group) == 0 else {
            throw CommandError("\(folder): \(SystemError.last)")
        }
    }
}

extension Account {
    /// The description of the new account, for people.
    var addition: String {
        let secret = token != nil ? "with its token" : password == nil ? "no password" : "with its password"
        let name = user.isEmpty ? server : "\(user) at \(server)"
        return "new account \(label) in the vault: \(name) over \(transport.rawValue), "
            + "encryption \(protection.rawValue), ICE \(ice.policy.rawValue), \(secret)"
    }
}
