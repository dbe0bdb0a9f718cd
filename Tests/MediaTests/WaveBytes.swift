import Base
import Glibc

/// A WAVE file for a test, valid or not.
struct WaveBytes {
    var format: UInt16 = 1
    var rate = 48_000
    var channels = 1
    var bits = 16
    /// The sound's announced length, in bytes; nil is the real one.
    var claim: UInt32?
    var isExtensible = false
    /// One sample per frame, -1...1; all channels have it.
    var samples: [Double] = []

    /// A sine of half of full scale.
    static func sine(_ frequency: Double, rate: Int, seconds: Double) -> [Double] {
        (0..<Int(seconds * Double(rate))).map { 0.5 * sin(2 * .pi * frequency * Double($0) / Double(rate)) }
    }

    static func chunk(_ name: String, _ body: [UInt8], claim: UInt32? = nil) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.append(littleEndian: claim ?? UInt32(body.count))
        return bytes + body + [UInt8](repeating: 0, count: body.count % 2)
    }

    static func riff(_ chunks: [UInt8]...) -> [UInt8] {
        chunk("RIFF", Array("WAVE".utf8) + chunks.joined())
    }

    var file: [UInt8] { Self.riff(formChunk, dataChunk) }

    var formChunk: [UInt8] {
        var body: [UInt8] = []
        body.append(littleEndian: isExtensible ? 0xFFFE : format)
        body.append(littleEndian: UInt16(channels))
        body.append(littleEndian: UInt32(rate))
        body.append(littleEndian: UInt32(rate * channels * bits / 8))
        body.append(littleEndian: UInt16(channels * bits / 8))
        body.append(littleEndian: UInt16(bits))
        if isExtensible {
            body.append(littleEndian: 22 as UInt16)
            body.append(littleEndian: UInt16(bits))
            body.append(littleEndian: 0 as UInt32)
            body.append(littleEndian: format)
            body += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        return Self.chunk("fmt ", body)
    }

    var dataChunk: [UInt8] {
        var body: [UInt8] = []
        for sample in samples {
            let value = Int64((sample * 2_147_483_647).rounded()) >> (32 - bits)
            for _ in 0..<channels {
                for byte in 0..<bits / 8 {
                    body.append(UInt8(truncatingIfNeeded: (bits == 8 ? value + 128 : value) >> (8 * byte)))
                }
            }
        }
        return Self.chunk("data", body, claim: claim)
    }
}
