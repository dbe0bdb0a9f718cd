import Glibc
import Platform

/// Reports when sound cards come, go or become usable. The kernel and udev change a folder, and inotify reports that.
///
/// Without inotify it never reports anything. Confined to one thread.
final class DeviceWatch: Sendable {
    /// Nil without inotify.
    private let owned: FileDescriptor?
    /// The descriptor for poll; negative without inotify.
    let descriptor: Int32
    /// The folder of the devices, and its parent, because the folder appears only with the first card.
    private let folders: [String]

    /// - Parameter folder: the folder of the devices, an absolute path. It need not exist yet.
    init(folder: String) {
        let above = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        folders = [folder, above]
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        owned = descriptor < 0 ? nil : FileDescriptor(owning: descriptor)
        look()
    }

    /// Reads what inotify reported. Call this when poll reports the descriptor.
    func clear() {
        var bytes = InlineArray<1_024, UInt8>(repeating: 0)
        while unsafe withUnsafeMutableBytes(of: &bytes, { unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
        look()
    }

    /// Watches the folders. A folder that is already watched stays watched.
    private func look() {
        guard descriptor >= 0 else { return }
        // A device is created before udev permits its use, so watch changes of attributes, too.
        let told = UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO | IN_DELETE)
        for folder in folders { _ = unsafe inotify_add_watch(descriptor, folder, told) }
    }
}
