import Base
import Testing

@Suite struct Base64URLTests {
    /// RFC 4648 §10, with the alphabet of §5 and without padding; RFC 7515 appendix C.
    @Test(
        arguments: [
            ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"),
            ([0x66, 0x6F, 0x6F, 0x62], "Zm9vYg"), ([3, 236, 255, 224, 193], "A-z_4ME"), ([0xFF], "_w"),
            ([0xFB, 0xEF, 0xBE], "----"),
        ] as [([UInt8], String)])
    func vectorIsEncodedAndDecoded(_ bytes: [UInt8], _ text: String) {
        #expect(Base64URL.encode(bytes) == text)
        #expect(Base64URL.decode(text) == bytes)
    }

    /// Padding, the other alphabet, one letter too many, spare bits that are set, anything else.
    @Test(arguments: ["Zg==", "+/+/", "Zm9vY", "Zh", "Zm9", "Zm 9", "Zm9\n", "Zé", "A"])
    func otherTextIsRejected(_ text: String) { #expect(Base64URL.decode(text) == nil) }
}
