import Base
import SIPCore

/// Hash functions for test vectors, short rather than fast. The phone uses swift-crypto.
extension DigestHashes {
    static let test = DigestHashes(md5: TestHash.md5, sha256: TestHash.sha256)
}

enum TestHash {
    /// RFC 1321.
    static func md5(_ message: [UInt8]) -> [UInt8] {
        let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in padded(message, bigEndian: false) {
            let words = self.words(of: block).map(\.byteSwapped)
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mix, word): (UInt32, Int) =
                    switch step / 16 {
                    case 0: (b & c | ~b & d, step)
                    case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), 7 * step % 16)
                    }
                let sum = a &+ mix &+ sineTable[step] &+ words[word]
                let shift = shifts[step / 16 * 4 + step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
            }
            for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
        }
        return bytes(of: state.map(\.byteSwapped))
    }

    /// FIPS 180-4.
    static func sha256(_ message: [UInt8]) -> [UInt8] {
        var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
        let constants = primes.map { prime in fraction(cubeRoot(prime)) }
        for block in padded(message, bigEndian: true) {
            var words = self.words(of: block)
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first: UInt32 = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
                let second: UInt32 = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
                words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
            }
            var v = state
            for step in 0..<64 {
                let choice: UInt32 = (v[4] & v[5]) ^ (~v[4] & v[6])
                let majority: UInt32 = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
                let high: UInt32 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
                let low: UInt32 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
                let one: UInt32 = v[7] &+ high &+ choice &+ constants[step] &+ words[step]
                v = [one &+ low &+ majority, v[0], v[1], v[2], v[3] &+ one, v[4], v[5], v[6]]
            }
            for index in 0..<8 { state[index] &+= v[index] }
        }
        return bytes(of: state)
    }

    private static func padded(_ message: [UInt8], bigEndian: Bool) -> [[UInt8]] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count * 8)
        padded.append(bigEndian: bigEndian ? bits : bits.byteSwapped)
        return stride(from: 0, to: padded.count, by: 64).map { Array(padded[$0..<$0 + 64]) }
    }

    /// Most significant byte first.
    private static func words(of block: [UInt8]) -> [UInt32] {
        (0..<16).map { block.span.bigEndian(at: 4 * $0) }
    }

    private static func bytes(of words: [UInt32]) -> [UInt8] {
        words.reduce(into: []) { $0.append(bigEndian: $1) }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits behind the point.
    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    private static func cubeRoot(_ value: Int) -> Double {
        (0..<60).reduce(Double(value) / 3) { root, _ in root - (root * root * root - Double(value)) / (3 * root * root)
        }
    }

    private static let primes = (2...311).filter { number in
        !(2..<number).contains { number.isMultiple(of: $0) }
    }

    /// `⌊2³² · |sin(i + 1)|⌋`, by the series, so that no mathematics library is needed.
    private static let sineTable: [UInt32] = (1...64).map { number in
        let turn = 6.283185307179586476925
        let angle = Double(number).remainder(dividingBy: turn)
        var (term, sum) = (angle, angle)
        for power in 1..<20 {
            term *= -angle * angle / Double(2 * power * (2 * power + 1))
            sum += term
        }
        return UInt32(sum.magnitude * 4_294_967_296)
    }
}
