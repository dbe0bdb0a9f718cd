import Glibc
import Platform

/// Opens a regular file for reading. It rejects any other kind of file without waiting for it, because a pipe has no
/// end and a device may do anything. For a thread that may wait for the disk.
package struct SoundFile: ~Copyable {
    private let file: FileDescriptor
    /// The size in bytes when the file was opened. It may be shorter by now.
    package let size: Int

    /// - Parameters:
    ///   - name: The path of a file below the folder, as in `menu/hello.wav`. Links below the folder are not followed,
    ///     so that a user who may name files cannot reach others.
    ///   - folder: May contain links, because the configuration names it.
    package init(_ name: String, below folder: String) throws(WaveError) {
        let names = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { ["", ".", ".."].contains($0) || $0.utf8.contains(0) }) else { throw .outside }
        var place = try Self.open(folder, O_RDONLY | O_DIRECTORY)
        for step in names {
            let kind = step.endIndex == name.endIndex ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY
            let next = unsafe openat(place.number, String(step), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind)
            guard next >= 0 else { throw .system(errno) }
            place = FileDescriptor(owning: next)
        }
        self = try SoundFile(opened: place)
    }

    package init(path: String) throws(WaveError) {
        self = try SoundFile(opened: Self.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
    }

    private init(opened file: consuming FileDescriptor) throws(WaveError) {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        self.file = file
        size = Int(status.st_size)
    }

    private static func open(_ path: String, _ flags: Int32) throws(WaveError) -> FileDescriptor {
        try FileDescriptor(path, flags) { WaveError.system($0) }
    }

    /// - Returns: Fewer bytes than requested only at the file's end.
    package func read(_ count: Int, at start: Int) throws(WaveError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var have = 0
        while have < count {
            let more = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[have...])
                return unsafe pread(file.number, rest.baseAddress, rest.count, start + have)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .system(errno) }
            guard more > 0 else { break }
            have += more
        }
        bytes.removeLast(count - have)
        return bytes
    }
}
