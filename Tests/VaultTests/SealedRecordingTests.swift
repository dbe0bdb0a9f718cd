import Base
import Testing
import Vault

/// A truncated, changed or recombined recording never gives other sound than was written.
@Suite struct SealedRecordingTests {
    private let scratch: Scratch
    private let key: VaultKey

    init() throws {
        scratch = try Scratch()
        key = try scratch.key()
    }

    private struct Read: Equatable {
        var clear: [UInt8] = []
        var end: RecordingOpener.End?
        var fault: RecordingFault?
    }

    private func pieces(_ count: Int, _ seed: UInt64 = 1) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            (0..<Int.random(in: 1...90, using: &generator)).map { _ in .random(in: .min ... .max, using: &generator) }
        }
    }

    /// - Parameter isEnded: Whether the writer reached the end.
    private func sealed(_ pieces: [[UInt8]], isEnded: Bool = true) -> (opening: [UInt8], chunks: [[UInt8]]) {
        let recording = SealedRecording(with: key)
        let chunks = pieces.enumerated().map { number, piece in
            recording.seal(piece, number: number, isLast: isEnded && number == pieces.count - 1)
        }
        return (recording.opening, chunks)
    }

    private func read(_ file: [UInt8], with key: VaultKey? = nil, step: Int = 17) -> Read {
        var opener = RecordingOpener(key: key ?? self.key)
        var read = Read()
        do {
            for start in stride(from: 0, to: file.count, by: step) {
                opener.push(Array(file[start..<min(start + step, file.count)]))
                while let piece = try opener.next() { read.clear += piece }
            }
            read.end = try opener.finish()
        } catch {
            read.fault = error
        }
        return read
    }

    @Test(arguments: [1, 17, 60, 64, 100_000]) func writtenRecordingIsRead(step: Int) {
        let pieces = pieces(20)
        let (opening, chunks) = sealed(pieces)
        let read = read(opening + chunks.joined(), step: step)
        #expect(read == Read(clear: Array(pieces.joined()), end: .whole))
        let file = opening + chunks.joined()
        #expect(!file.contains(pieces[3]), "the speech is not in the file")
    }

    /// Goal: a crash costs at most the last chunk, wherever it happens. Method: every length that a file can have.
    @Test func truncatedRecordingIsReadToLastWholeChunk() {
        let pieces = pieces(6)
        for isEnded in [true, false] {
            let (opening, chunks) = sealed(pieces, isEnded: isEnded)
            let file = opening + chunks.joined()
            var ends = [opening.count]
            for chunk in chunks { ends.append((ends.last ?? 0) + chunk.count) }
            for length in opening.count..<file.count + (isEnded ? 0 : 1) {
                let whole = ends.count { $0 <= length } - 1
                let expected = Read(
                    clear: Array(pieces.prefix(whole).joined()), end: .cutOff(bytes: length - ends[whole]))
                #expect(read(Array(file.prefix(length))) == expected, "\(length) of \(file.count)")
            }
            for length in 0..<opening.count { #expect(read(Array(file.prefix(length))).fault == .notARecording) }
        }
    }

    /// Goal: no flipped bit goes unnoticed. Method: all of them; any sound before it is unchanged.
    @Test func everyFlippedBitIsDetected() {
        let pieces = pieces(4)
        let (opening, chunks) = sealed(pieces)
        let clear = Array(pieces.joined())
        var file = opening + chunks.joined()
        for bit in 0..<file.count * 8 {
            file[bit / 8] ^= 1 << (bit % 8)
            let read = read(file, step: 512)
            #expect(read.end != .whole && read.clear.count < clear.count, "bit \(bit)")
            #expect(clear.starts(with: read.clear), "bit \(bit)")
            file[bit / 8] ^= 1 << (bit % 8)
        }
        #expect(read(file).end == .whole)
    }

    @Test func movedChunksAreDetected() {
        let pieces = [UInt8](1...5).map { [UInt8](repeating: $0, count: 40) }
        let (opening, chunks) = sealed(pieces)
        let (other, foreign) = sealed(pieces)
        func fault(_ opening: [UInt8], _ chunks: [[UInt8]]) -> RecordingFault? { read(opening + chunks.joined()).fault }
        #expect(fault(opening, [chunks[1], chunks[0]] + chunks[2...]) == .tampered(chunk: 0))
        #expect(fault(opening, [chunks[0]] + chunks[2...]) == .tampered(chunk: 1))
        #expect(fault(opening, [chunks[0], chunks[0]] + chunks[1...]) == .tampered(chunk: 1))
        #expect(fault(opening, chunks + [chunks[4]]) == .tampered(chunk: 5))
        #expect(fault(opening, chunks[..<2] + [chunks[4]]) == .tampered(chunk: 2))
        // The same place of another recording of the same vault.
        #expect(fault(opening, [chunks[0], foreign[1]] + chunks[2...]) == .tampered(chunk: 1))
        #expect(fault(other, chunks) == .tampered(chunk: 0))
        #expect(fault(opening, chunks) == nil)
    }

    @Test func otherKeyIsRefused() throws {
        let (opening, chunks) = sealed(pieces(2))
        let other = try VaultKey.create(at: scratch.folder + "/other")
        #expect(read(opening + chunks.joined(), with: other).fault == .wrongKey)
    }

    @Test func otherFileIsNotRead() {
        for file in [[], Array("OggS".utf8), [UInt8](repeating: 0, count: 500), Array("OFFHREC".utf8)] {
            #expect(read(file).fault == .notARecording)
        }
        var (later, _) = sealed([])
        later[11] = 2
        #expect(read(later).fault == .newerVersion(2))
        // A length beyond the file's end is not waited for.
        let (opening, _) = sealed([])
        #expect(read(opening + [0x7F, 0xFF, 0xFF, 0xFF]).fault == .tampered(chunk: 0))
    }

    @Test func recordingsNeverShareKeyStream() {
        let silence = [UInt8](repeating: 0, count: 1_024)
        let (_, first) = sealed([silence, silence])
        let (_, second) = sealed([silence, silence])
        for (left, right) in [(first[0], second[0]), (first[0], first[1])] {
            #expect(zip(left.dropFirst(4), right.dropFirst(4)).count { $0 == $1 } < 40)
        }
    }
}
