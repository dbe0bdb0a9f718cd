import Base
import Testing

@Suite struct ByteCopyTests {
    @Test(arguments: [0, 1, 7, 1_000])
    func copiesAreEqual(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let copied = [UInt8](copying: bytes.span)
        #expect(copied == bytes)
        var both: [UInt8] = [1, 2]
        both.append(copying: bytes.span.extracting((count / 2)...))
        #expect(both == [1, 2] + bytes[(count / 2)...])
    }
}
