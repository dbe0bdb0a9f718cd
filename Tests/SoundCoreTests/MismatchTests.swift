import Comparison
import Testing

@Suite struct MismatchTests {
    @Test func equalSequencesHaveNoMismatch() {
        #expect(Mismatch([1, 2, 3], [0, 1, 2, 3].dropFirst()) == nil)
        #expect(Mismatch([Int](), []) == nil)
    }

    @Test func firstMismatchIsReported() {
        #expect(Mismatch([1, 2, 3, 4], [1, 2, 5, 6])?.description == "3 and 5 at 2")
    }

    @Test func shorterSequenceIsMismatch() {
        #expect(Mismatch([1], [1, 2])?.description == "the end and 2 at 1")
        #expect(Mismatch([1, 2], [1])?.description == "2 and the end at 1")
    }
}
