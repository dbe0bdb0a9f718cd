import Base
import Glibc
import Platform

/// Sound in a file: 16-bit samples of one channel at 48 kHz, the only form that this bench reads and writes.
public struct WaveFile: Equatable, Sendable {
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case unwritable(path: String, reason: String)
        case notWave(path: String)
        case wrongForm(path: String, found: String)

        public var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
            case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
            case .notWave(let path): "\(path): not a WAV file"
            case .wrongForm(let path, let found): "\(path): expected 16-bit mono at 48000 Hz, found \(found)"
            }
        }
    }

    public static let rate = 48_000

    public var samples: [Int16]

    public init(samples: [Int16]) { self.samples = samples }

    public var seconds: Double { Double(samples.count) / Double(Self.rate) }

    public init(path: String) throws(Failure) {
        self.samples = try Self.decode(try Self.read(path), path: path)
    }

    public func write(to path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: SystemError.last) }
        defer { close(descriptor) }
        let bytes = encoded
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            guard count > 0 else { throw .unwritable(path: path, reason: SystemError.last) }
            written += count
        }
    }

    /// The file's bytes: a RIFF header of 44 octets, then the samples, least significant octet first.
    public var encoded: [UInt8] {
        var bytes = WaveHeader(channels: 1, rate: Self.rate, length: 2 * samples.count).bytes
        bytes.reserveCapacity(bytes.count + 2 * samples.count)
        for sample in samples { bytes.append(littleEndian: sample) }
        return bytes
    }

    /// Walks the RIFF chunks. Total: an oversized chunk ends with the file.
    static func decode(_ bytes: [UInt8], path: String) throws(Failure) -> [Int16] {
        guard bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)), Array(bytes[8..<12]) == Array("WAVE".utf8)
        else { throw .notWave(path: path) }
        var offset = 12
        var isRightForm = false
        while offset + 8 <= bytes.count {
            let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
            let body = offset + 8..<min(bytes.count, offset + 8 + Int(number(bytes, at: offset + 4, octets: 4)))
            if name == "fmt ", body.count >= 16 {
                let form = [(0, 2), (2, 2), (4, 4), (14, 2)].map { number(bytes, at: body.lowerBound + $0, octets: $1) }
                guard form == [1, 1, UInt64(rate), 16] else {
                    throw .wrongForm(
                        path: path, found: "\(form[3])-bit, \(form[1]) channels at \(form[2]) Hz, format \(form[0])")
                }
                isRightForm = true
            } else if name == "data" {
                guard isRightForm else { throw .notWave(path: path) }
                return stride(from: body.lowerBound, to: body.upperBound - 1, by: 2).map {
                    Int16(bitPattern: UInt16(number(bytes, at: $0, octets: 2)))
                }
            }
            offset = body.upperBound + body.count % 2
        }
        throw .notWave(path: path)
    }

    private static func number(_ bytes: [UInt8], at offset: Int, octets: Int) -> UInt64 {
        (0..<octets).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: SystemError.last) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw .unreadable(path: path, reason: SystemError.last) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }
}

/// The last system call's error, for people.
