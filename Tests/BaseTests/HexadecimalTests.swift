import Base
import Testing

@Suite struct HexadecimalTests {
    @Test func eachByteHasTwoDigits() {
        #expect([UInt8]().hexadecimal == "")
        #expect([0x00, 0x0F, 0xA0, 0xFF].hexadecimal == "000fa0ff")
    }

    @Test func twoDigitsAreOneByte() {
        #expect("".hexadecimalBytes == [])
        #expect("000fa0Ff".hexadecimalBytes == [0x00, 0x0F, 0xA0, 0xFF])
    }

    @Test(arguments: ["0", "0g", "+1", " 1", "0x01", "@1", "`1", "é"])
    func otherTextIsRejected(text: String) { #expect(text.hexadecimalBytes == nil) }
}
