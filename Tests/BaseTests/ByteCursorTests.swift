import Base
import Testing

@Suite struct ByteCursorTests {
    @Test func integersAreReadInNetworkOrder() throws {
        let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07]
        var cursor = ByteCursor()
        #expect(try cursor.read(UInt8.self, in: bytes.span) == 0x01)
        #expect(try cursor.read(UInt16.self, in: bytes.span) == 0x0203)
        #expect(try cursor.read(UInt32.self, in: bytes.span) == 0x0405_0607)
        let atEnd = cursor.isAtEnd(of: bytes.span)
        #expect(atEnd)
    }

    @Test func readPastEndIsExactErrorAndMovesNothing() throws {
        let bytes: [UInt8] = [1, 2, 3]
        var cursor = ByteCursor(offset: 1)
        let failure = #expect(throws: ByteCursor.Truncated.self) { try cursor.read(UInt32.self, in: bytes.span) }
        #expect(failure?.needed == 4 && failure?.available == 2)
        #expect(cursor.offset == 1)
        #expect(throws: ByteCursor.Truncated.self) { try cursor.readRange(-1, in: bytes.span) }
        #expect(throws: ByteCursor.Truncated.self) { try cursor.readBytes(.max, in: bytes.span) }
        #expect(try cursor.readBytes(2, in: bytes.span) == [2, 3])
    }

    @Test(arguments: [UInt32.min, 1, 0x8000_0000, UInt32.max])
    func appendedBytesReadBack(_ number: UInt32) throws {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        bytes.append(bigEndian: UInt8(truncatingIfNeeded: number))
        var cursor = ByteCursor()
        #expect(try cursor.read(UInt32.self, in: bytes.span) == number)
        #expect(try cursor.read(UInt8.self, in: bytes.span) == UInt8(truncatingIfNeeded: number))
    }
}
