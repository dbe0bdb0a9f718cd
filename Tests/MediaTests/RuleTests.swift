import Base
import Media
import Testing

@Suite
struct RuleTests {
    private func address(_ host: String, _ port: UInt16) throws -> PeerAddress {
        try #require(PeerAddress(host: host, port: port))
    }

    @Test(arguments: [("127.0.0.1", true), ("::1", false), ("fe80::1", false), ("::ffff:10.0.0.1", true)])
    func numericAddressesAreUnderstood(host: String, isIPv4: Bool) throws {
        #expect(try address(host, 5).isIPv4 == isIPv4)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", ":::", "10.0.0.256"])
    func otherTextIsNoAddress(text: String) { #expect(PeerAddress(host: text, port: 5) == nil) }

    @Test
    func mappedAndPlainAreTheSameHost() throws {
        #expect(try address("10.0.0.1", 5) == address("::ffff:10.0.0.1", 5))
    }

    @Test
    func authenticatedVoiceMovesThePortOnce() throws {
        var latch = SymmetricRTPLatch(agreed: try address("10.0.0.1", 4_000), isAuthenticated: true)
        let moved = try address("10.0.0.1", 5_000)
        #expect(latch.admits(moved))
        #expect(!latch.admits(try address("10.0.0.2", 4_000)), "another host never")
        latch.confirm(moved)
        #expect(latch.port == 5_000)
        #expect(latch.admits(moved))
        #expect(!latch.admits(try address("10.0.0.1", 4_000)), "then only there")
    }

    @Test
    func clearVoiceNeverMoves() throws {
        let latch = SymmetricRTPLatch(agreed: try address("10.0.0.1", 4_000), isAuthenticated: false)
        #expect(latch.admits(try address("10.0.0.1", 4_000)))
        #expect(!latch.admits(try address("10.0.0.1", 4_002)))
    }

    @Test
    func silenceIsToldOnceAndEndsOnce() {
        var inactivity = RTPInactivityTimer(patience: .seconds(5))
        let start = Instant.zero
        #expect(inactivity.deadline == nil)
        inactivity.expect(.voice, at: start)
        let reported = inactivity.arrived(.reports, at: start + .seconds(3))
        let early = inactivity.check(at: start + .seconds(4))
        let due = inactivity.check(at: start + .seconds(5))
        let again = inactivity.check(at: start + .seconds(20))
        #expect((reported, early, due, again) == (nil, nil, .silent, nil), "reports are no voice")
        let heard = inactivity.arrived(.voice, at: start + .seconds(21))
        let more = inactivity.arrived(.voice, at: start + .seconds(22))
        #expect((heard, more) == (.heard, nil))
        #expect(inactivity.deadline == start + .seconds(27))
        inactivity.expect(nil, at: start + .seconds(23))
        let off = inactivity.check(at: start + .seconds(99))
        #expect(off == nil)
    }

    /// A far end that only listens, or says so, shows by its reports that it is there.
    @Test
    func whoSendsNoVoiceSendsReports() {
        var inactivity = RTPInactivityTimer(patience: .seconds(5))
        let start = Instant.zero
        inactivity.expect(.reports, at: start)
        let first = inactivity.arrived(.reports, at: start + .seconds(7))
        let later = inactivity.check(at: start + .seconds(16))
        let due = inactivity.check(at: start + .seconds(17))
        #expect((first, later, due) == (nil, nil, .silent))
        inactivity.expect(.reports, at: start + .seconds(18))
        let again = inactivity.check(at: start + .seconds(90))
        let heard = inactivity.arrived(.reports, at: start + .seconds(91))
        #expect((again, heard) == (nil, .heard))
        inactivity.expect(.voice, at: start + .seconds(92))
        #expect(inactivity.deadline == start + .seconds(97))
    }

    @Test(arguments: [(1_920, 480, 480, 960), (960, 240, 240, 480), (4_096, 1_024, 480, 1_920), (480, 480, 480, 480)])
    func playbackIsKeptAsLowAsTheDeviceAllows(buffer: Int, period: Int, quantum: Int, target: Int) {
        let level = PlaybackTarget(buffer: buffer, period: period, quantum: quantum)
        #expect(level.target == target)
        #expect(level.wakeup == buffer - target + quantum)
    }

    @Test
    func underrunsRaiseTheLevelAndQuietTimesLowerIt() {
        var level = PlaybackTarget(buffer: 1_920, period: 480, quantum: 480)
        let start = Instant.zero
        let changes = (0..<3).map { level.underrun(at: start + .seconds($0)) }
        #expect(changes == [true, true, false])
        #expect(level.target == 1_920)
        let early = level.settle(at: start + .seconds(21))
        let first = level.settle(at: start + .seconds(22))
        let second = level.settle(at: start + .seconds(42))
        let last = level.settle(at: start + .seconds(99))
        #expect((early, first, second, last) == (false, true, true, false))
        #expect(level.target == 960)
    }
}
