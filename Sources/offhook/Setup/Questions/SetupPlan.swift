import Base
import Control
import Glibc
import Panel
import PhoneCore
import Platform
import SoundCore
import Vault
import YAML

/// The changes that setup will make: files, a vault and an account. Setup shows them before it makes them.
struct SetupPlan {
    /// The user of `systemd/offhook.sysusers`.
    static let serviceUser = "offhook"

    let files: [FileChange]
    let keyPlace: KeyPlace?
    private let account: Account?
    /// Nil: the page stays as it is.
    private let web: WebFiles?
    private let settings: Settings
    private let isSystem: Bool

    /// - Throws: If the phone could not read the new files.
    init(_ interview: SetupInterview) throws {
        let written = try interview.configuration()
        web = try interview.webListening.map { try WebFiles(written, found: interview.found, listening: $0) }
        let configuration = web?.configuration ?? written
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
        if let web { lines += [web.addition, "new token \(WebTokens.usualLabel) for the page"].compactMap(\.self) }
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
        let token = try web.map { _ in
            try WebTokens(settings, credential: sealing.credential).replace(WebTokens.usualLabel, .call, by: key)
        }
        for line in try (web?.writeCertificate() ?? []) + writeFiles() { print(line) }
        if let web, let token { for line in try web.page.lines(token) { print(line) } }
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

/// Makes the results from the answers so far.
extension SetupInterview {
    /// The configuration file from the answers so far.
    package func configuration() throws(ConfigurationText.Failure) -> FileChange {
        var text = ConfigurationText(
            found.text ?? "# Written by offhook setup. All other keys have defaults: docs/user/configuration\n")
        if writesBoard, found.board != found.boardFile { try text.set(["board"], to: found.boardFile) }
        if found.text == nil { try setPlaces(in: &text) }
        try setSound(in: &text)
        if let authorities = answers[.authorities] {
            try text.set(["sip", "tls", "authorities"], to: YAMLText.scalar(authorities))
        }
        if let pin = answers[.pin], let label = answers[.label], answers[.account] == "yes" {
            try text.set(["sip", "tls", "pins", label], to: YAMLText.scalar(pin))
        }
        return FileChange(path: found.path, before: found.text, after: text.text)
    }

    /// The board file from the answers so far; nil: it stays unchanged.
    package var board: FileChange? {
        guard writesBoard else { return nil }
        let name = answers[.board] ?? Self.simulator
        guard let offer = found.boards.first(where: { $0.name == name }) else { return nil }
        return FileChange(path: found.path.folder + found.boardFile, before: found.boardText, after: offer.text)
    }

    /// The place for the key of a new vault; nil: no new vault.
    var keyPlace: KeyPlace? { found.hasVault ? nil : answers[.vault].flatMap(KeyPlace.init) }

    /// Where a new page listens; nil: no new page.
    var webListening: WebListening? {
        switch answers[.web] {
        case "here": WebListening(WebListening.here)
        case "network": WebListening(WebListening.usual)
        default: nil
        }
    }

    /// The account to add; nil: none, or the answers are not complete.
    package var account: Account? {
        get throws(AccountRefusal) {
            guard answers[.account] == "yes", answers[.server] != nil, answers[.user] != nil || hasToken else {
                return nil
            }
            return try draft.account()
        }
    }

    private var draft: AccountDraft {
        var draft = AccountDraft(label: answers[.label])
        (draft.kind, draft.user, draft.server) = (answers[.kind], answers[.user], answers[.server])
        (draft.displayName, draft.domain) = (answers[.displayName], answers[.domain])
        (draft.transport, draft.protection, draft.ice) = (answers[.transport], answers[.protection], answers[.ice])
        (draft.stun, draft.turn) = (servers(.stun), servers(.turn))
        if draft.turn?.isEmpty == false { draft.turnPassword = secrets[.turnPassword] }
        if hasToken {
            draft.token = secrets[.token]
        } else {
            (draft.authUser, draft.password) = (answers[.authUser], secrets[.password])
        }
        return draft
    }

    private func servers(_ key: SetupKey) -> String? { answers[key].map { $0 == Self.noServer ? "" : $0 } }

    /// A configuration needs a board. Without an answer, a new one gets the simulated board.
    private var writesBoard: Bool { answers[.panel] == "yes" || found.board == nil }

    /// Sets the places of vault and socket. The first phone of a machine uses the defaults, as in
    /// `systemd/offhook.service`. Any other phone has its files beside its configuration or in folders with its name.
    private func setPlaces(in text: inout ConfigurationText) throws(ConfigurationText.Failure) {
        guard !found.isSystem || found.instance != nil else { return }
        let (state, runtime) = found.instance.map { ("/var/lib/offhook/\($0)/", "/run/offhook@\($0)/") } ?? ("", "")
        try text.set(["vault"], to: "{file: \(state)vault, key: \(state)vault.key}")
        try text.set(["control"], to: "{socket: \(runtime)control.sock}")
    }

    private func setSound(in text: inout ConfigurationText) throws(ConfigurationText.Failure) {
        guard answers[.sound] == "yes" else {
            // A configuration needs a device. Without an answer, a new one gets a silent device.
            if found.devices.isEmpty { try setDevice(DevicePair("null"), .handset, in: &text) }
            return
        }
        if let country = answers[.country], country != found.country ?? ToneCountry.us.rawValue {
            try text.set(["sound", "country"], to: country)
        }
        for key in SetupKey.devices {
            guard let answer = answers[key], answer != found.devices[key] else { continue }
            switch answer {
            case "none": try text.remove(key.path)
            case _ where key == .ringer: try text.set(key.path, to: YAMLText.scalar(answer))
            default: try setDevice(DevicePair(answer), key, in: &text)
            }
        }
    }

    /// Sets the device and keeps its other settings.
    private func setDevice(
        _ device: DevicePair, _ key: SetupKey, in text: inout ConfigurationText
    ) throws(ConfigurationText.Failure) {
        let (capture, playback) = (YAMLText.scalar(device.capture), YAMLText.scalar(device.playback))
        guard found.devices[key] != nil else {
            return try text.set(key.path, to: "{capture: \(capture), playback: \(playback)}")
        }
        try text.set(key.path + ["capture"], to: capture)
        try text.set(key.path + ["playback"], to: playback)
    }
}
