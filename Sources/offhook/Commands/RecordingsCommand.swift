import Base
import Commands
import Glibc
import Media
import Platform
import Vault

enum RecordingsCommand {
    static var command: Command {
        .group("recordings", "Read recorded calls, which are encrypted with the vault's key.", [list, export])
    }

    private static var list: Command {
        Command(
            "list", "List the recorded calls, and check each for changes.", discussion: "Exits 1 if one was changed.",
            ConfigurationOption.input
        ) { phone in
            let settings = try phone.load()
            guard let folder = settings.recording?.folder else {
                throw CommandError("no folder is configured; set calls.recording")
            }
            let key = try settings.vaultKey()
            var isSound = true
            for name in try RecordingReader.names(in: folder) {
                let reader = RecordingReader(path: folder + "/" + name, key: key)
                do {
                    let outcome = try reader.read { _ in }
                    print("\(name)  \(outcome.bytes) bytes, \(outcome.end.words)")
                } catch {
                    isSound = false
                    print("\(name)  \(error)")
                }
            }
            if !isSound { throw ExitCode.failure }
        }
    }

    private static var export: Command {
        Command(
            "export", "Write a recorded call as a sound file that is not encrypted.",
            discussion: """
                A recording that a crash or a power cut has shortened is written up to its end, with a note. A \
                recording that was changed is written up to the change, and the command fails.
                """, example: "offhook recordings export 20261122-010203-in-1.7.opus.sealed",
            ConfigurationOption.input,
            Parameter.argument("file", "Encrypted file: a name in the configured folder, or a path.", .file()),
            Parameter.option(
                "output", "File to write; - is standard output. Default: the same name in the present folder.", .file())
        ) { phone, file, output in
            let settings = try phone.load()
            let folder = file.contains("/") ? nil : settings.recording?.folder
            let reader = RecordingReader(
                path: folder.map { $0 + "/" + file } ?? file, key: try settings.vaultKey())
            // Read the file twice, because some formats have their length at the beginning.
            let whole = try reader.measure()
            let output = try OutputFile(path: output ?? clearName(of: file))
            var sound = SoundPatch(length: whole.bytes)
            do {
                let outcome = try reader.read { piece in try output.write(sound.patch(piece)) }
                try output.close()
                if outcome.end != .whole {
                    TextOutput(descriptor: STDERR_FILENO).write("\(file): \(outcome.end.words)")
                }
            } catch let error as RecordingFault {
                try output.close()
                throw CommandError("\(file): \(error); wrote the \(whole.bytes) bytes before it")
            }
        }
    }

    private static func clearName(of file: String) throws(CommandError) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let suffix = "." + SealedRecording.suffix
        guard name.hasSuffix(suffix) else {
            throw CommandError("\(file): the name does not end in \(suffix); give --output")
        }
        return String(name.dropLast(suffix.count))
    }
}

extension RecordingOpener.End {
    fileprivate var words: String {
        switch self {
        case .whole: "whole"
        case .cutOff(let bytes):
            "ends early: its writer did not finish it, or it was cut (last \(bytes) bytes unusable)"
        }
    }
}

/// Writes the length into a WAVE file's header. The sealed file lacks it, because its writer never writes a place
/// twice.
private struct SoundPatch {
    private let length: Int
    private var isBegun = false

    init(length: Int) { self.length = length }

    mutating func patch(_ piece: [UInt8]) -> [UInt8] {
        guard !isBegun, !piece.isEmpty else { return piece }
        isBegun = true
        guard piece.starts(with: Array("RIFF".utf8)), piece.count >= WaveHeader.size, length >= WaveHeader.size else {
            return piece
        }
        var bytes = piece
        for (place, number) in [(4, length - 8), (WaveHeader.size - 4, length - WaveHeader.size)] {
            var word: [UInt8] = []
            word.append(littleEndian: UInt32(clamping: number))
            bytes.replaceSubrange(place..<place + word.count, with: word)
        }
        return bytes
    }
}

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

/// The output of a command: a new file for its owner only, or standard output.
final class OutputFile {
    private let path: String
    private let descriptor: Int32

    init(path: String) throws(CommandError) {
        self.path = path
        guard path != "-" else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandError("\(path): \(SystemError.last)") }
            written += count
        }
    }

    /// Called once, at the end.
    func close() throws(CommandError) {
        guard path == "-" || Glibc.close(descriptor) == 0 else { throw CommandError("\(path): \(SystemError.last)") }
    }
}
