import Base
import Testing

@Suite struct HexadecimalTests {
    @Test func eachByteIsTwoDigits() {
        #expect([UInt8]().hexadecimal == "")
        #expect([0x00, 0x0F, 0xA0, 0xFF].hexadecimal == "000fa0ff")
    }
}
