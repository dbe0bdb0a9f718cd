import Base
import Media
import PhoneCore
import SoundCore
import Vault

/// The state of machine and files before the first question. It also shows results of earlier runs and manual changes,
/// so there is no record of progress that could be wrong.
package struct SetupFindings: Equatable, Sendable {
    package struct BoardOffer: Equatable, Sendable {
        /// The file's name without its suffix: `raspberry-pi`.
        package let name: String
        package let words: String
        package let text: String
        /// Whether this machine has the chips that the file names.
        package let fits: Bool

        package init(name: String, words: String, text: String, fits: Bool) {
            (self.name, self.words, self.text, self.fits) = (name, words, text, fits)
        }
    }

    /// The configuration file, and its text if it exists.
    package var path: String
    package var text: String?
    /// Whether vault and socket are in a service's folders. Otherwise they are beside the configuration.
    package var isSystem: Bool
    /// The name of an additional phone of the service: `desk1` for `/etc/offhook/offhook@desk1.yaml`.
    var instance: String? {
        let start = "/etc/offhook/offhook@"
        guard path.hasPrefix(start), path.hasSuffix(".yaml") else { return nil }
        let name = path.dropFirst(start.count).dropLast(".yaml".count)
        return name.isEmpty || name.contains("/") ? nil : String(name)
    }
    /// The board's file beside the configuration. Two phones on one machine use different lines.
    var boardFile: String { instance.map { "board@\($0).yaml" } ?? "board.yaml" }
    /// The systemd unit, if this is a service.
    var service: String { instance.map { "offhook@\($0)" } ?? "offhook" }
    package var country: String?
    /// The devices by the question's key: a device, or `capture | playback`.
    package var devices: [SetupKey: String] = [:]
    /// The configuration's value of `board`.
    package var board: String?
    /// The text of `board.yaml` beside the configuration.
    package var boardText: String?
    package var cards: [SetupQuestion.Choice] = []
    /// Includes the simulated panel in every case.
    package var boards: [BoardOffer] = []
    /// Whether the configuration opens the page (`control.http`).
    package var hasPage = false
    package var hasVault = false
    /// The labels of the vault's accounts; also empty if the vault could not be opened.
    package var accounts: [String] = []
    /// Their users and servers by label.
    package var addresses: [String: String] = [:]

    static func address(_ user: String, _ server: String, _ port: UInt16?) -> String {
        "\(user) at \(server)" + (port.map { ":\($0)" } ?? "")
    }

    package init(path: String, text: String? = nil, isSystem: Bool) {
        (self.path, self.text, self.isSystem) = (path, text, isSystem)
    }
}

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
        found.hasPage = configuration.control.http != nil
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
