import Base
import Control
import PhoneCore
import SoundCore
import Vault

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

extension SetupKey {
    /// The keys in the configuration, beginning at the root.
    fileprivate var path: [String] { rawValue.split(separator: ".").map(String.init) }
}
