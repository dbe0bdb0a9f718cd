import Glibc
import Media
import PhoneCore
import Testing

/// Recordings on a disk: their owner, and a full disk.
@Suite
struct RecordingFileTests {
    private let name = RecordingName(parts: [2026, 11, 22, 1, 2, 3], call: CallID(.phone, 1))

    @Test func recordingBelongsToOwnerAndOverwritesNothing() throws {
        let folder = TestFolder()
        let first = try RecordingFile(folder: folder.path + "/new", name: name, suffix: "wav")
        let second = try RecordingFile(folder: folder.path + "/new", name: name, suffix: "wav")
        #expect(first.path == folder.path + "/new/20261122-010203-out-1.wav")
        #expect(second.path == folder.path + "/new/20261122-010203-out-1-2.wav")
        #expect(TestFolder.mode(first.path) == 0o600)
        #expect(TestFolder.mode(folder.path + "/new") == 0o700)
    }

    @Test func impossibleFolderIsNamed() {
        let (name, path) = (name, "/proc/no/folder")
        #expect {
            _ = try RecordingFile(folder: path, name: name, suffix: "wav")
        } throws: { error in
            (error as? MediaError)?.description
                == "the folder of recordings /proc/no/folder cannot be made: No such file or directory"
        }
    }

    /// A symbolic link in place of the file is not followed.
    @Test func symbolicLinkIsNotFollowed() throws {
        let folder = TestFolder()
        unsafe symlink("/dev/null", folder.path + "/20261122-010203-out-1.wav")
        let file = try RecordingFile(folder: folder.path, name: name, suffix: "wav")
        #expect(file.path.hasSuffix("-2.wav"))
    }

    /// No number is used for two chunks, whatever the disk returns, and no sealed byte is written twice.
    @Test func eachChunkHasUniqueNumber() throws {
        let folder = TestFolder()
        let seal = RecordingSeal(suffix: "sealed") {
            .init(opening: Array("HEAD".utf8)) { piece, number, isLast in
                Array("<\(number)\(isLast ? "!" : "")".utf8) + piece.map { $0 ^ 0x20 } + Array(">".utf8)
            }
        }
        var file = try RecordingFile(folder: folder.path, name: name, suffix: "wav", seal: seal)
        #expect(file.path.hasSuffix("-out-1.wav.sealed") && TestFolder.mode(file.path) == 0o600)
        try file.append(Array("abc".utf8))
        try file.append([])
        try file.rewriteOpening(Array("xyz".utf8))
        try file.append(Array("de".utf8))
        #expect(file.size == 5)
        try file.finish([])
        #expect(String(decoding: TestFolder.bytes(file.path), as: UTF8.self) == "HEAD<0ABC><1DE><2!>")
    }

    /// A file system of 64 KiB takes whole chunks of three pages until the next one has no room.
    @Test(.enabled(if: TinyDisk.isPossible))
    func fullDiskHasWholeChunksOnly() throws {
        let (name, folder) = (name, TestFolder())
        let result = TinyDisk.run(kibibytes: 64, at: folder.path) { () -> (size: Int, error: String, bytes: [UInt8]) in
            do throws(MediaError) {
                var file = try RecordingFile(folder: folder.path, name: name, suffix: "wav")
                let piece = [UInt8](repeating: 7, count: 3 * 4_096 + 100)
                while true {
                    do throws(MediaError) {
                        try file.append(piece)
                        try file.rewriteOpening([1, 2, 3])
                    } catch {
                        return (file.size, error.description, TestFolder.bytes(file.path))
                    }
                }
            } catch { return (0, error.description, []) }
        }
        let (size, error, bytes) = try #require(result)
        #expect(size > 0 && size % (3 * 4_096 + 100) == 0)
        #expect(bytes.count == size && bytes.prefix(4) == [1, 2, 3, 7])
        #expect(error.hasSuffix("cannot go on: No space left on device"))
    }
}
