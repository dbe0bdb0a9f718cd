import Base
import Glibc
import Panel
import YAML

/// A copy of the last used board file, beside the vault. With it, `offhook board reset` can switch the outputs off even
/// if the configuration now has a mistake or names another board.
struct BoardMemory {
    private static let name = "last-board.yaml"

    let path: String

    init(vaultFile: String) { path = vaultFile.folder + Self.name }

    /// Possible places of a copy. In order: beside the configured vault, in the service's state folder from systemd,
    /// and beside the default vault.
    static func places(vaultFile: String?) -> [String] {
        let state = Environment["STATE_DIRECTORY"]?.split(separator: ":").first.map { String($0) + "/vault" }
        let files = [vaultFile, state, VaultSection().file].compactMap { $0 }
        return files.map { BoardMemory(vaultFile: $0).path }
    }

    /// Stores a copy of the board file, if it has changed.
    func keep(_ boardFile: String) throws(CommandError) {
        guard let text = try FileChange.text(of: boardFile), try FileChange.text(of: path) != text else { return }
        _ = unsafe unlink(path)
        _ = try FileChange(path: path, before: nil, after: text).write()
    }
}

/// The keys of a configuration that `offhook board reset` needs. Everything else in the file may be wrong.
struct BoardReference: Equatable {
    let board: String?
    let vaultFile: String?

    /// - Parameter path: The path of the configuration.
    init(configuration path: String) throws(YAMLError) {
        let document = try YAMLDocument(path: path)
        func absolute(_ text: String?) -> String? { text.map { $0.hasPrefix("/") ? $0 : path.folder + $0 } }
        board = absolute(document.text(at: ["board"]))
        vaultFile = absolute(document.text(at: ["vault", "file"]))
    }
}
