import Glibc
import Platform

/// Detects when the device file of a chip disappears because the chip was removed. Kernels before 6.6 do not wake a
/// thread that waits for edges of a removed chip; inotify does.
///
/// Without inotify it detects nothing. Confined to the panel's thread.
struct ChipWatch: ~Copyable {
    private struct Chip {
        let path: String
        let file: UInt64
    }

    private let owned: FileDescriptor?
    /// Negative without inotify.
    private let descriptor: Int32
    private var chips: [Chip] = []

    init() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        owned = descriptor < 0 ? nil : FileDescriptor(owning: descriptor)
    }

    /// The descriptors for poll.
    var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }

    mutating func add(_ path: String) {
        guard descriptor >= 0, let file = Self.file(at: path) else { return }
        // While a program has the file open, its removal is reported as a change of its link count.
        let told = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        guard unsafe inotify_add_watch(descriptor, path, told) >= 0 else { return }
        chips.append(Chip(path: path, file: file))
    }

    /// - Throws: If a chip is gone, or another one is in its place.
    func look() throws(PanelError) {
        var (bytes, isTold) = ([UInt8](repeating: 0, count: 4_096), false)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 { isTold = true }
        guard isTold, let gone = chips.first(where: { Self.file(at: $0.path) != $0.file }) else { return }
        throw .broken("the chip \(gone.path) is gone")
    }

    /// Identifies a file at a path: a replaced file has another number.
    private static func file(at path: String) -> UInt64? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
