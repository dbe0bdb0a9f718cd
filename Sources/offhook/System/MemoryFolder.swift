import Base
import CProcess

/// Folders whose files are gone with the power.
enum MemoryFolder {
    static func contains(_ file: String) -> Bool {
        unsafe cprocess_is_memory(file.openedFolder) != 0
    }
}
