import Base
import Media
import PhoneCore
import SoundCore
import Vault

/// Inspects the machine and the files before the first question.
enum SetupInspection {
    /// - Parameter credential: The file of a sealed key.
    static func findings(_ path: String, credential: String) throws -> SetupFindings {
        let (seen, settings) = try look(path)
        var found = seen
        let vault = VaultAccess(settings: try settings ?? placeholder(found), credential: credential)
        found.hasVault = vault.exists
        // The vault may be locked now and opened later. Then its accounts are missing here.
        if found.hasVault, let accounts = try? vault.accounts().map(\.account) {
            found.accounts = accounts.map(\.label)
            for account in accounts {
                found.addresses[account.label] = SetupFindings.address(account.user, account.server, account.port)
            }
        }
        return found
    }

    /// Inspects the machine and the files without secrets.
    static func findingsWithoutVault(_ path: String) throws -> SetupFindings { try look(path).found }

    /// - Returns: Also the settings of the configuration, if it exists.
    private static func look(_ path: String) throws -> (found: SetupFindings, settings: Settings?) {
        // A service has its configuration below /etc, and its vault where `systemd/offhook.service` puts it.
        var found = SetupFindings(path: path, text: try FileChange.text(of: path), isSystem: path.hasPrefix("/etc/"))
        found.boardText = try FileChange.text(of: path.folder + found.boardFile)
        found.cards = SoundCardList.all().map { .init($0.device, "\($0.name), \($0.place)") }
        found.boards = BoardCatalog.all()
        guard let text = found.text else { return (found, nil) }
        let settings = try Settings(text, path: path)
        let configuration = settings.configuration
        found.board = configuration.board
        found.country = configuration.sound.country.rawValue
        for (route, key) in [(Route.handset, SetupKey.handset), (.speaker, .speaker), (.headset, .headset)] {
            guard let device = configuration.sound.devices[route] else { continue }
            found.devices[key] = DevicePair(capture: device.capture, playback: device.playback).text
        }
        found.devices[.ringer] = configuration.sound.ringer?.settings.device
        return (found, settings)
    }

    /// The settings of a configuration that does not exist yet.
    private static func placeholder(_ found: SetupFindings) throws -> Settings {
        try Settings(SetupInterview(found).configuration().after, path: found.path)
    }
}
