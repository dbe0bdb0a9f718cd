import YAML

/// The configuration with its paths made absolute: relative ones start at the file's own folder.
package struct Settings: Sendable {
    let configuration: Configuration
    /// With the closing slash; empty is the working directory.
    private let folder: String

    package init(path: String) throws(YAMLError) {
        configuration = try Configuration.load(path: path)
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    var boardFile: String { absolute(configuration.board) }
    var vaultFile: String { absolute(configuration.vault.file) }
    var keyFile: String { absolute(configuration.vault.key) }
    var socket: String { absolute(configuration.control.socket) }

    private func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }
}
