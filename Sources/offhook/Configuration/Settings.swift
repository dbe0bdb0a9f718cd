import YAML

/// The configuration with its paths made absolute: relative ones start at the file's own folder.
struct Settings: Sendable {
    let configuration: Configuration
    private let folder: String

    init(path: String) throws(YAMLError) {
        configuration = try Configuration.load(path: path)
        folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }

    var boardFile: String { absolute(configuration.board) }
    var vaultFile: String { absolute(configuration.vault.file) }
    var keyFile: String { absolute(configuration.vault.key) }
    var socket: String { absolute(configuration.control.socket) }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    }
}
