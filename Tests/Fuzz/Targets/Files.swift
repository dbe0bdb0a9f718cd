import Base
import Control
import Glibc
import EventLog
import JSON
import Media
import Panel
import Synchronization
import Vault
import YAML

/// A line on the control socket.
func fuzzJSON(_ input: [UInt8]) {
    for line in input.split(separator: UInt8(ascii: "\n"), maxSplits: 64) { _ = ControlLine.requests(Array(line)) }
    guard let value = try? JSONValue(parsing: input) else { return }
    let written = Array(value.text.utf8)
    guard let back = try? JSONValue(parsing: written) else { preconditionFailure("written, and cannot be read") }
    precondition(back.text == value.text, "not the same bytes after another trip")
}

/// A configuration file, by the reader of all of them.
func fuzzYAML(_ input: [UInt8]) {
    guard let document = try? YAMLDocument(input, file: "fuzzed") else { return }
    do { _ = try document.read(Board.self) } catch {
        precondition("\(error)".utf8.count < 4_096, "an error is read by a person")
    }
}

/// A foreign sound file.
func fuzzWAV(_ input: [UInt8]) {
    inFile(input) { path in
        guard var reader = try? WaveReader(path: path) else { return }
        // Four milliards of samples may be announced; only as many count as the file has bytes.
        var (pieces, samples) = (0, 0)
        while let piece = try? reader.read(), !piece.isEmpty {
            pieces += 1
            samples += piece.count
            precondition(pieces <= input.count * 8 + 64, "a sound without an end")
        }
    }
}

/// A vault changed by someone without the key, and one filled arbitrarily by the owner of the key.
func fuzzVault(_ input: [UInt8]) {
    let key = fixedKey()
    precondition((try? SealedImage.open(input, with: key, path: "fuzzed")) == nil, "opens without having been sealed")
    inFile(input.withUnsafeBytes { SealedImage.seal($0, with: key) }) { path in
        guard let file = try? VaultFile.open(path, key: key, access: .readOnly) else { return }
        _ = try? file.accounts()
        _ = try? file.history(limit: 100)
        _ = try? file.persistedCall()
        _ = try? file.context()
        _ = file.memory { _ in }
    }
}

/// A recorded call changed by someone without the key, truncated anywhere; and a whole one of these bytes.
func fuzzRecording(_ input: [UInt8]) {
    let key = fixedKey()
    let step = 1 + Int(input.first ?? 0)
    var opener = RecordingOpener(key: key)
    for start in stride(from: 0, to: input.count, by: step) {
        opener.push(Array(input[start..<min(start + step, input.count)]))
        guard let piece = try? opener.next() else { break }
        preconditionFailure("\(piece.count) bytes that nobody sealed")
    }
    _ = try? opener.finish()
    let recording = SealedRecording(with: key)
    var file = recording.opening
    let pieces = stride(from: 0, to: input.count, by: step * 64).map {
        Array(input[$0..<min($0 + step * 64, input.count)])
    }
    for (number, piece) in pieces.enumerated() {
        file += recording.seal(piece, number: number, isLast: number == pieces.count - 1)
    }
    var whole = RecordingOpener(key: key)
    whole.push(file)
    var clear: [UInt8] = []
    while let piece = try? whole.next() { clear += piece }
    precondition(clear == input, "not what was sealed")
    precondition((try? whole.finish()) == (input.isEmpty ? .cutOff(bytes: 0) : .whole), "another end")
}

/// A phone's recorded story.
func fuzzJournal(_ input: [UInt8]) {
    var replay = Replay()
    do {
        for start in stride(from: 0, to: input.count, by: 4_096) {
            try replay.take(Array(input[start..<min(start + 4_096, input.count)])) { _ = $0.lines }
        }
        _ = try replay.finish()
    } catch {
        precondition(!"\(error)".isEmpty, "an error without words")
    }
}

/// The same each time, so a finding stays reproducible.
private func fixedKey() -> VaultKey {
    var bytes = [UInt8](0..<32)
    guard let key = try? VaultKey(taking: &bytes, from: "fuzz") else { preconditionFailure("32 bytes are a key") }
    return key
}

/// Inputs as files: each target has its own, because tests run several targets at the same time.
private let files = Atomic<UInt64>(0)

func inFile(_ bytes: [UInt8], _ body: (String) -> Void) {
    let path = "/dev/shm/offhook-fuzz-\(getpid())-\(files.wrappingAdd(1, ordering: .relaxed).newValue)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count, "/dev/shm has room")
    close(file)
    defer { unlink(path) }
    body(path)
}
