import Base
import PhoneCore
import SoundCore
import Vault

/// What is made of the answers so far.
extension SetupInterview {
    /// The configuration as it would be written now.
    package func configuration() throws(ConfigurationText.Failure) -> FileChange {
        var text = ConfigurationText(
            found.text ?? "# By offhook setup. Other keys have defaults: docs/user/configuration\n")
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

    /// The board's file as it would be written now; nil: it stays as it is.
    package var board: FileChange? {
        guard writesBoard else { return nil }
        let name = answers[.board] ?? Self.simulator
        guard let offer = found.boards.first(where: { $0.name == name }) else { return nil }
        return FileChange(path: found.path.folder + found.boardFile, before: found.boardText, after: offer.text)
    }

    /// Where the key of a vault that is to be made is kept; nil: none is made.
    var keyPlace: KeyPlace? { found.hasVault ? nil : answers[.vault].flatMap(KeyPlace.init) }

    /// The account that is to be added.
    package var account: Account? {
        guard answers[.account] == "yes", let label = answers[.label], let user = answers[.user],
            let (host, port) = answers[.server].flatMap({ try? HostAndPort.parse(server: $0, allowsPath: true) })
        else { return nil }
        let authUser = answers[.authUser].flatMap { $0 == user ? nil : $0 }
        return Account(
            label: label, user: user, authUser: authUser, displayName: answers[.displayName], server: host, port: port,
            transport: answers[.transport].flatMap(Account.Transport.init) ?? .udp, domain: answers[.domain],
            password: password, protection: answers[.protection].flatMap(Account.Protection.init) ?? .mandatory)
    }

    /// A configuration needs a board. Without an answer, a new one gets the simulated one.
    private var writesBoard: Bool { answers[.panel] == "yes" || found.board == nil }

    /// A service has its vault and its socket where `systemd/offhook.service` says, which are the defaults for the first phone
    /// of a machine. Any other phone has them beside its configuration.
    private func setPlaces(in text: inout ConfigurationText) throws(ConfigurationText.Failure) {
        guard !found.isSystem || found.instance != nil else { return }
        let (state, runtime) = found.instance.map { ("/var/lib/offhook/\($0)/", "/run/offhook@\($0)/") } ?? ("", "")
        try text.set(["vault"], to: "{file: \(state)vault, key: \(state)vault.key}")
        try text.set(["control"], to: "{socket: \(runtime)control.sock}")
    }

    private func setSound(in text: inout ConfigurationText) throws(ConfigurationText.Failure) {
        guard answers[.sound] == "yes" else {
            // A configuration needs a device. Without an answer, a new one gets one that is silent.
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

    /// What else is said of a device stays.
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
    /// The keys of the configuration, from the root on.
    fileprivate var path: [String] { rawValue.split(separator: ".").map(String.init) }
}
