import Glibc
import Platform
import Vault

/// Reads a sealed recording from its file, a chunk at a time.
struct RecordingReader {
    struct Outcome {
        /// Bytes of the recording, up to the first change, if any.
        var bytes = 0
        var end = RecordingOpener.End.whole
    }

    private static let block = 1 << 16

    let path: String
    let key: VaultKey

    /// Passes on the pieces that are proven unchanged. Throws a `RecordingFault` after the last good piece.
    func read(_ body: ([UInt8]) throws -> Void) throws -> Outcome {
        let file = try FileDescriptor(named: path, O_RDONLY | O_NONBLOCK)
        var opener = RecordingOpener(key: key)
        var outcome = Outcome()
        var bytes = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = unsafe Glibc.read(file.number, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
            guard count > 0 else { break }
            opener.push(Array(bytes[..<count]))
            while let piece = try opener.next() {
                outcome.bytes += piece.count
                try body(piece)
            }
        }
        outcome.end = try opener.finish()
        return outcome
    }

    /// Measures the readable part, up to the first change, if any.
    func measure() throws -> Outcome {
        var bytes = 0
        do {
            return try read { bytes += $0.count }
        } catch RecordingFault.tampered {
            return Outcome(bytes: bytes)
        }
    }

    /// The sealed files of a folder, sorted by name, which is also the order of time.
    static func names(in folder: String) throws(CommandError) -> [String] {
        guard let directory = unsafe opendir(folder) else { throw CommandError("\(folder): \(SystemError.last)") }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
                unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasSuffix("." + SealedRecording.suffix) { names.append(name) }
        }
        return names.sorted()
    }
}
