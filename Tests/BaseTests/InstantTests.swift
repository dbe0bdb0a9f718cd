import Base
import Testing

@Suite struct InstantTests {
    @Test func durationsAddAndSubtractExactly() {
        let start = Instant(nanoseconds: -5)
        let later = start + .milliseconds(1_500)
        #expect(later.nanoseconds == 1_499_999_995)
        #expect(later - start == .milliseconds(1_500))
        #expect(later - .milliseconds(1_500) == start)
        #expect((start - later).milliseconds == -1_500)
    }

    @Test func seedRepeatsItsSequence() {
        var first = SeededGenerator(seed: 42)
        var second = SeededGenerator(seed: 42)
        var other = SeededGenerator(seed: 43)
        let numbers = (0..<8).map { _ in first.next() }
        #expect(numbers == (0..<8).map { _ in second.next() })
        #expect(numbers != (0..<8).map { _ in other.next() })
    }
}
