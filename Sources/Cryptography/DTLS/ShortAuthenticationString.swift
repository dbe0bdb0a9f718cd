import Base

/// Four words for a handshake. If two people read them to each other and they are the same, nobody is in between
/// (docs/dev/decisions/0015-four-words.md).
package enum ShortAuthenticationString {
    /// 8 MB of memory, and some tens of milliseconds. An attacker who searches for two handshakes with the same words
    /// pays that for each try, while the call is being set up.
    private static let (rounds, blockSize): (UInt64, UInt64) = (8_192, 8)
    private static let wordCount = 4

    /// The words, which are the same at both ends of a handshake.
    /// - Parameters:
    ///   - binding: data that only the two ends have (`DTLSSession.binding`).
    ///   - fingerprints: of both certificates, in any order.
    package static func words(binding: SecretBytes, fingerprints: [[UInt8]]) -> String {
        let fingerprints = fingerprints.sorted { $0.lexicographicallyPrecedes($1) }
        let derived = KeyDerivation.scrypt(
            binding, salt: Array(fingerprints.joined()), rounds: rounds, blockSize: blockSize, parallelism: 1,
            count: 2 * wordCount)
        return unsafe derived.withBytes { bytes in
            (0..<wordCount).map { unsafe word(UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1])) }
        }.joined(separator: " ")
    }

    private static let consonants = Array("bdfghjklmnprstvz".unicodeScalars)
    private static let vowels = Array("aiou".unicodeScalars)

    /// Sixteen bits as a word that can be said in most languages, such as `lusab` (a proquint, arXiv:0901.4016).
    package static func word(_ bits: UInt16) -> String {
        var word = String.UnicodeScalarView()
        for (place, width) in [(12, 4), (10, 2), (6, 4), (4, 2), (0, 4)] {
            let value = Int(bits >> place) & (1 << width - 1)
            word.append(width == 4 ? consonants[value] : vowels[value])
        }
        return String(word)
    }
}
