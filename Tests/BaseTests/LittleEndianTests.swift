import Base
import Testing

@Suite struct LittleEndianTests {
    @Test func leastSignificantByteComesFirst() {
        var bytes: [UInt8] = [9]
        bytes.append(littleEndian: 0x0102_0304 as UInt32)
        bytes.append(littleEndian: -2 as Int16)
        #expect(bytes == [9, 4, 3, 2, 1, 0xFE, 0xFF])
    }
}
