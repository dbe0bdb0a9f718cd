import Base
import Glibc
import Panel
import YAML

/// Finds the installed board files, or those of the folder in which the program was built.
enum BoardCatalog {
    private static let installed = "/usr/share/offhook/board/"
    /// More files than any folder of boards has.
    private static let most = 64

    /// Every board file, first those whose chips this machine has. The simulated panel is always included.
    static func all(chips: [GPIOChip] = GPIOChip.all()) -> [SetupFindings.BoardOffer] {
        let present = Set(chips.filter { $0.problem == nil }.flatMap { [$0.label, $0.path] })
        let simulator = SetupFindings.BoardOffer(
            name: SetupInterview.simulator, words: "no hardware: `offhook ctl` operates its panel",
            text: SimulatorBoard.text, fits: true)
        let others = files().compactMap { offer($0, present) }.filter { $0.name != simulator.name }
        return others.filter(\.fits) + [simulator] + others.filter { !$0.fits }
    }

    private static func offer(_ file: String, _ present: Set<String>) -> SetupFindings.BoardOffer? {
        // Skip files that are no valid board.
        guard let text = try? FileChange.text(of: file), let board = try? Board.load(path: file) else { return nil }
        let fits = board.fits(chips: present)
        let name = String(file.dropFirst(file.folder.count).dropLast(".yaml".count))
        return .init(
            name: name, words: board.name + (fits ? "" : ", needs chips that this machine does not have"), text: text,
            fits: fits)
    }

    private static func files() -> [String] {
        guard let folder = ([installed] + beside()).first(where: { !names(in: $0).isEmpty }) else { return [] }
        return names(in: folder).sorted().map { folder + $0 }
    }

    /// The folders `board` beside the program and in all folders above it.
    private static func beside() -> [String] {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return [] }
        var folder = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self).folder
        var folders: [String] = []
        while folder.count > 1 {
            folders.append(folder + "board/")
            folder = String(folder.dropLast()).folder
        }
        return folders
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while names.count < most, let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".yaml") { names.append(name) }
        }
        return names
    }
}
