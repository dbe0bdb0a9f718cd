import Base
import Glibc
import Platform
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

/// The form of the samples in a WAVE file: PCM of one length, interleaved by channel.
package struct WaveFormatChunk: Equatable, Sendable {
    /// The least length of the chunk, and the most bytes that are read of it.
    static let leastBytes = 16
    static let mostBytes = 40

    private static let pcm: UInt16 = 1
    private static let extensible: UInt16 = 0xFFFE
    /// The offset of the format's number in the extensible form, and the bytes that follow the number in every format
    /// that Microsoft has defined.
    private static let subformatPlace = 24
    private static let subformatEnd: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    /// Sampling rate in Hz, one of `RateConverter.rates`.
    package let rate: Int
    /// 1 to 8.
    package let channels: Int
    /// 8, 16, 24 or 32.
    package let bits: Int

    var sampleBytes: Int { bits / 8 }
    var frameBytes: Int { channels * sampleBytes }

    /// - Parameter chunk: The contents of a `fmt ` chunk, at least `leastBytes` of them.
    init(_ chunk: [UInt8]) throws(WaveError) {
        let format = Self.format(chunk)
        guard format == Self.pcm else { throw .notPCM(format: format) }
        (channels, bits) = (Int(chunk.littleEndian(at: 2, bytes: 2)), Int(chunk.littleEndian(at: 14, bytes: 2)))
        rate = Int(chunk.littleEndian(at: 4, bytes: 4))
        let frame = Int(chunk.littleEndian(at: 12, bytes: 2))
        guard [8, 16, 24, 32].contains(bits), (1...8).contains(channels), frame == channels * bits / 8 else {
            throw .strangeForm(bits: bits, channels: channels, frameBytes: frame)
        }
        guard RateConverter.rates.contains(rate) else { throw .strangeRate(rate) }
    }

    /// Mixes whole frames to one channel. Each sample is the mean of its channels, which never gets too loud.
    func mono(_ bytes: [UInt8]) -> [Float] {
        stride(from: 0, to: bytes.count / frameBytes * frameBytes, by: frameBytes).map { frame in
            var sum: Float = 0
            for place in stride(from: frame, to: frame + frameBytes, by: sampleBytes) {
                sum += sample(bytes, place)
            }
            return sum / Float(channels)
        }
    }

    /// A sample in the range of 16 bits. Only samples of 8 bits are unsigned.
    private func sample(_ bytes: [UInt8], _ place: Int) -> Float {
        let raw = bytes.littleEndian(at: place, bytes: sampleBytes) << (32 - bits)
        let signed = Int32(bitPattern: bits == 8 ? raw ^ 0x8000_0000 : raw)
        return Float(signed) / 65_536
    }

    private static func format(_ chunk: [UInt8]) -> UInt16 {
        let format = UInt16(chunk.littleEndian(at: 0, bytes: 2))
        let end = subformatPlace + 2..<subformatPlace + 2 + subformatEnd.count
        guard format == extensible, chunk.count >= end.upperBound, Array(chunk[end]) == subformatEnd else {
            return format
        }
        return UInt16(chunk.littleEndian(at: subformatPlace, bytes: 2))
    }
}

/// Reasons why a file cannot be played. The descriptions are texts for people, to follow the file's name.
package enum WaveError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It cannot be opened or read. The number is an `errno`.
    case system(Int32)
    /// The file is a folder, a pipe or a device.
    case notRegular
    /// The name leads out of the folder of such files, or cannot be the name of a file in it.
    case outside
    /// The file is not a RIFF/WAVE file, or lacks a required part.
    case notWave(lacks: String)
    /// The sound is not PCM. The number is WAVE's number of the format.
    case notPCM(format: UInt16)
    /// The form of the samples is not supported: not 8, 16, 24 or 32 bits, not 1 to 8 channels, or a frame of another
    /// length than its samples.
    case strangeForm(bits: Int, channels: Int, frameBytes: Int)
    /// The sampling rate, in Hz, is not supported.
    case strangeRate(Int)

    package var description: String {
        switch self {
        case .system(let code): SystemError.text(code)
        case .notRegular: "not a regular file"
        case .outside: "not a name below the folder of files to play"
        case .notWave(let part): "not a WAVE file: it has no \(part)"
        case .notPCM(let format): "its sound is not PCM but has format \(format)"
        case .strangeForm(let bits, let channels, let frameBytes):
            "unsupported format: \(channels) channels of \(bits) bits in \(frameBytes) bytes"
        case .strangeRate(let rate): "\(rate) Hz is not a supported sampling rate"
        }
    }
}

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
