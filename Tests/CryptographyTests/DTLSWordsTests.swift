import Base
import Cryptography
import Testing

@Suite("Four words for a handshake")
struct DTLSWordsTests {
    private func words(binding: UInt8 = 1, own: UInt8, other: UInt8) -> String {
        ShortAuthenticationString.words(
            binding: SecretBytes(count: 32) { binding },
            fingerprints: [Array(repeating: own, count: 32), Array(repeating: other, count: 32)])
    }

    /// The examples of the proposal for proquints: the addresses 127.0.0.1 and 63.84.220.193.
    @Test func sixteenBitsAreOneWord() {
        #expect([0x7F00, 0x0001].map(ShortAuthenticationString.word) == ["lusab", "babad"])
        #expect([0x3F54, 0xDCC1].map(ShortAuthenticationString.word) == ["gutih", "tugad"])
    }

    @Test func everyNumberIsAnotherWord() {
        #expect(Set((UInt16.min...UInt16.max).map(ShortAuthenticationString.word)).count == 65_536)
    }

    @Test func bothEndsShowSameWords() {
        let here = words(own: 1, other: 2)
        #expect(here == words(own: 2, other: 1))
        #expect(here.split(separator: " ").count == 4)
    }

    @Test func otherHandshakeOrCertificateGivesOtherWords() {
        let all = [words(own: 1, other: 2), words(binding: 2, own: 1, other: 2), words(own: 1, other: 3)]
        #expect(Set(all).count == 3)
    }
}
