import Base
import Glibc
import Panel
import YAML

/// The board file with which the phone ran last, as a copy beside its vault. `offhook board reset` switches its outputs off,
/// although the configuration has a mistake by now, or names another board.
struct BoardMemory {
    private static let name = "last-board.yaml"

    let path: String

    init(vaultFile: String) { path = vaultFile.folder + Self.name }

    /// Where a copy may be: beside the vault that the configuration names, where systemd keeps the service's state, and
    /// where it is usually.
    static func places(vaultFile: String?) -> [String] {
        let state = Environment["STATE_DIRECTORY"]?.split(separator: ":").first.map { String($0) + "/vault" }
        let files = [vaultFile, state, VaultSection().file].compactMap { $0 }
        return files.map { BoardMemory(vaultFile: $0).path }
    }

    /// Keeps a copy of the board file. It is written only when it changed.
    func keep(_ boardFile: String) throws(CommandError) {
        guard let text = try FileChange.text(of: boardFile), try FileChange.text(of: path) != text else { return }
        _ = unsafe unlink(path)
        _ = try FileChange(path: path, before: nil, after: text).write()
    }
}

/// What `offhook board reset` needs of a configuration. Everything else in it may be wrong.
struct BoardReference: Equatable {
    let board: String?
    let vaultFile: String?

    /// - Parameter path: The configuration's own path.
    init(configuration path: String) throws(YAMLError) {
        let document = try YAMLDocument(path: path)
        func absolute(_ text: String?) -> String? { text.map { $0.hasPrefix("/") ? $0 : path.folder + $0 } }
        board = absolute(document.text(at: ["board"]))
        vaultFile = absolute(document.text(at: ["vault", "file"]))
    }
}
