import Glibc
import Platform

/// Tells when sound cards come, go or become usable: the kernel and udev work in a folder, and inotify tells of it.
///
/// Without inotify it never tells anything. Confined to one thread.
final class DeviceWatch: Sendable {
    /// Nil where there is no inotify.
    private let owned: FileDescriptor?
    /// What poll watches; negative where there is no inotify.
    let descriptor: Int32
    /// The devices' and the one above it, in which it appears with the first card.
    private let folders: [String]

    /// - Parameter folder: of the devices: an absolute path. It need not be there yet.
    init(folder: String) {
        let above = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        folders = [folder, above]
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        owned = descriptor < 0 ? nil : FileDescriptor(owning: descriptor)
        look()
    }

    /// Takes what was told. Call when poll says so.
    func clear() {
        var bytes = InlineArray<1_024, UInt8>(repeating: 0)
        while unsafe withUnsafeMutableBytes(of: &bytes, { unsafe read(descriptor, $0.baseAddress, $0.count) }) > 0 {}
        look()
    }

    /// What is watched already stays watched.
    private func look() {
        guard descriptor >= 0 else { return }
        // A device is made before udev lets anybody use it: that is told too.
        let told = UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO | IN_DELETE)
        for folder in folders { _ = unsafe inotify_add_watch(descriptor, folder, told) }
    }
}
