import CProcess

/// Folders whose files are gone with the power.
enum MemoryFolder {
    static func contains(_ file: String) -> Bool {
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        return unsafe cprocess_is_memory(folder) != 0
    }
}
