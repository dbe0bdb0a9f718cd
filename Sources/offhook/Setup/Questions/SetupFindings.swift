/// What the machine and the files show before the first question. What was done by an earlier run, or by hand, is seen
/// here: there is no record of progress that could be wrong.
package struct SetupFindings: Equatable, Sendable {
    package struct BoardOffer: Equatable, Sendable {
        /// The file's name without its ending: `raspberry-pi`.
        package let name: String
        package let words: String
        package let text: String
        /// Whether this machine has the chips that it names.
        package let fits: Bool

        package init(name: String, words: String, text: String, fits: Bool) {
            (self.name, self.words, self.text, self.fits) = (name, words, text, fits)
        }
    }

    /// The configuration file, and its text if it is there.
    package var path: String
    package var text: String?
    /// Whether the vault and the socket are where a service has them. Otherwise they are beside the configuration.
    package var isSystem: Bool
    /// The name of a further phone of the service: of `/etc/offhook/offhook@desk1.yaml` it is `desk1`.
    var instance: String? {
        let start = "/etc/offhook/offhook@"
        guard path.hasPrefix(start), path.hasSuffix(".yaml") else { return nil }
        let name = path.dropFirst(start.count).dropLast(".yaml".count)
        return name.isEmpty || name.contains("/") ? nil : String(name)
    }
    /// The board's file beside the configuration. Two phones of a machine have different lines.
    var boardFile: String { instance.map { "board@\($0).yaml" } ?? "board.yaml" }
    /// The unit that systemd starts, if this is a service.
    var service: String { instance.map { "offhook@\($0)" } ?? "offhook" }
    package var country: String?
    /// The devices by the key of the question: a device, or `capture | playback`.
    package var devices: [SetupKey: String] = [:]
    /// The configuration's value of `board`.
    package var board: String?
    /// The text of `board.yaml` beside the configuration.
    package var boardText: String?
    package var cards: [SetupQuestion.Choice] = []
    /// The simulated panel is always among them.
    package var boards: [BoardOffer] = []
    package var hasVault = false
    /// The labels of the vault's accounts; empty also when the vault could not be opened.
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
