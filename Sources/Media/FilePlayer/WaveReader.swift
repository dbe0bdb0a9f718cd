import Base
import SoundCore

/// Reads the sound of a RIFF/WAVE file piece by piece and converts it to 48 kHz, mono, 16 bits. The chunks may come in
/// any order. A chunk that claims to be longer than the file ends with the file. For a thread that may wait for the
/// disk.
package struct WaveReader: ~Copyable {
    /// Limit of chunks to search. A file with more chunks before its sound was made to prolong the search.
    private static let mostChunks = 256
    private static let piecesPerSecond = 10

    package let form: WaveFormatChunk
    private let file: SoundFile
    /// The part of the file that holds the remaining sound.
    private var rest: Range<Int>
    private var converter: RateConverter
    private var isFinished = false

    package init(path: String) throws(WaveError) {
        try self.init(SoundFile(path: path))
    }

    package init(_ file: consuming SoundFile) throws(WaveError) {
        let found = try Self.find(in: file)
        form = found.form
        rest = found.sound
        converter = RateConverter(from: found.form.rate)
        self.file = file
    }

    /// - Returns: About 100 ms of sound; nothing at the end.
    package mutating func read() throws(WaveError) -> [Int16] {
        while !isFinished {
            let piece = try next()
            isFinished = piece.isEmpty
            let sound = isFinished ? converter.finish() : converter.convert(piece)
            if !sound.isEmpty { return sound }
        }
        return []
    }

    /// Reads whole frames at the file's own rate.
    private mutating func next() throws(WaveError) -> [Float] {
        let wanted = form.rate / Self.piecesPerSecond * form.frameBytes
        let bytes = try file.read(min(wanted, rest.count), at: rest.lowerBound)
        rest = rest.lowerBound + bytes.count..<rest.upperBound
        return form.mono(bytes)
    }

    /// Walks the chunks until the format and the sound are found.
    private static func find(in file: borrowing SoundFile) throws(WaveError) -> (
        form: WaveFormatChunk, sound: Range<Int>
    ) {
        let opening = try file.read(12, at: 0)
        guard opening.count == 12, text(opening[0..<4]) == "RIFF", text(opening[8..<12]) == "WAVE" else {
            throw .notWave(lacks: "RIFF/WAVE header")
        }
        var (form, sound): (WaveFormatChunk?, Range<Int>?)
        var place = opening.count
        for _ in 0..<mostChunks {
            let header = try file.read(8, at: place)
            guard header.count == 8 else { break }
            let length = Int(header.littleEndian(at: 4, bytes: 4))
            let body = place + 8..<max(place + 8, min(place + 8 + length, file.size))
            switch text(header[0..<4]) {
            case "fmt " where form == nil: form = try WaveFormatChunk(formChunk(in: file, at: body))
            case "data" where sound == nil: sound = body
            default: break
            }
            if let form, let sound { return (form, sound) }
            // Each chunk begins at an even offset.
            place += 8 + length + length % 2
        }
        throw .notWave(lacks: form == nil ? "form of its samples" : "samples")
    }

    private static func formChunk(in file: borrowing SoundFile, at body: Range<Int>) throws(WaveError) -> [UInt8] {
        let bytes = try file.read(min(body.count, WaveFormatChunk.mostBytes), at: body.lowerBound)
        guard bytes.count >= WaveFormatChunk.leastBytes else { throw .notWave(lacks: "form of its samples") }
        return bytes
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
