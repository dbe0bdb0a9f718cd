import Base
import Control
import Testing

@Suite struct GuessGuardTests {
    private let address: [UInt8] = [192, 0, 2, 7]
    private let start = Instant(nanoseconds: 1_000_000_000_000)

    @Test func pauseOfAddressGrowsToOneMinute() {
        var guesses = GuessGuard()
        var now = start
        for _ in 1..<GuessGuard.freeGuesses {
            let isSlowed = guesses.noteWrong(from: address, at: now)
            #expect(!isSlowed && guesses.wait(of: address, at: now) == nil)
        }
        let isSlowed = guesses.noteWrong(from: address, at: now)
        #expect(isSlowed)
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(guesses.wait(of: address, at: now) == .seconds(seconds))
            now = now + .seconds(seconds)
            #expect(guesses.wait(of: address, at: now) == nil)
            let isTold = guesses.noteWrong(from: address, at: now)
            #expect(!isTold, "once is enough")
        }
    }

    @Test func quietTimeForgives() {
        var guesses = GuessGuard()
        for _ in 0..<7 { _ = guesses.noteWrong(from: address, at: start) }
        let later = start + .seconds(601)
        _ = guesses.noteWrong(from: address, at: later)
        #expect(guesses.wait(of: address, at: later) == nil)
    }

    @Test func manyAddressesTakeBoundedMemory() {
        var guesses = GuessGuard()
        for number in 0..<10_000 {
            let other = [UInt8(number >> 8), UInt8(number & 255)]
            _ = guesses.noteWrong(from: other, at: start + .milliseconds(number))
        }
        #expect(guesses.count == GuessGuard.limit)
    }
}
