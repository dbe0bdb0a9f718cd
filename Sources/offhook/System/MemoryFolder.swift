import Base
import CProcess

/// Detects folders in memory, whose files are lost when the power goes.
enum MemoryFolder {
    static func contains(_ file: String) -> Bool {
        unsafe cprocess_is_memory(file.openedFolder) != 0
    }
}
