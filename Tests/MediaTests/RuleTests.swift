import Base
import Media
import Testing

@Suite
struct RuleTests {
    private func address(_ host: String, _ port: UInt16) throws -> TransportAddress {
        try #require(TransportAddress(host: host, port: port))
    }

    @Test
    func authenticatedVoiceMovesPortOnce() throws {
        var latch = SymmetricRTPLatch(agreed: try address("10.0.0.1", 4_000), isAuthenticated: true)
        let moved = try address("10.0.0.1", 5_000)
        #expect(latch.admits(moved))
        #expect(!latch.admits(try address("10.0.0.2", 4_000)), "another host never")
        latch.confirm(moved, at: .zero)
        #expect(latch.port == 5_000)
        #expect(latch.admits(moved))
        #expect(!latch.admits(try address("10.0.0.1", 6_000)), "then only there")
        #expect(!latch.admits(try address("10.0.0.2", 5_000)))
    }

    /// Whatever came first, a packet from the agreed port proves that this port is right.
    @Test
    func agreedPortWins() throws {
        let agreed = try address("10.0.0.1", 4_000)
        var latch = SymmetricRTPLatch(agreed: agreed, isAuthenticated: true)
        latch.confirm(try address("10.0.0.1", 5_000), at: .zero)
        #expect(latch.admits(agreed))
        latch.confirm(agreed, at: .zero + .milliseconds(20))
        #expect(latch.port == 4_000)
        #expect(!latch.admits(try address("10.0.0.1", 5_000)), "then only there")
        latch.confirm(try address("10.0.0.1", 5_000), at: .zero + .seconds(5))
        #expect(latch.port == 4_000)
    }

    /// A far end that moves to another port of its host while its packets are on the way, as with direct media 40 ms
    /// after the answer; with the agreed port, and with one that a NAT has rewritten.
    @Test(arguments: [4_000, 5_000] as [UInt16])
    func latePacketDoesNotMovePortBack(left: UInt16) throws {
        let move = Instant.zero + .milliseconds(40)
        let (old, new) = (try address("10.0.0.1", left), try address("10.0.0.1", 4_002))
        var before = SymmetricRTPLatch(agreed: try address("10.0.0.1", 4_000), isAuthenticated: true)
        before.confirm(old, at: .zero)
        var latch = before.moved(to: new, isAuthenticated: true, at: move)
        #expect(latch.admits(old), "a late packet is heard")
        latch.confirm(old, at: move + .milliseconds(5))
        #expect(latch.port == nil, "and we send to the agreed port")
        #expect(latch.admits(new))
        latch.confirm(new, at: move + .milliseconds(25))
        #expect(latch.port == 4_002)
        #expect(!latch.admits(old))
    }

    /// A NAT that assigns the same port as before, whatever the far end announces.
    @Test
    func senderThatKeepsOldPortIsFollowed() throws {
        let (old, new) = (try address("10.0.0.1", 4_000), try address("10.0.0.1", 4_002))
        let before = SymmetricRTPLatch(agreed: old, isAuthenticated: true)
        var latch = before.moved(to: new, isAuthenticated: true, at: .zero)
        for packet in 0..<60 {
            #expect(latch.admits(old))
            latch.confirm(old, at: .zero + .milliseconds(20) * packet)
        }
        #expect(latch.port == 4_000)
    }

    @Test
    func moveToOtherHostDropsOldHost() throws {
        let (old, new) = (try address("10.0.0.1", 4_000), try address("10.0.0.2", 4_002))
        let before = SymmetricRTPLatch(agreed: old, isAuthenticated: true)
        var latch = before.moved(to: new, isAuthenticated: true, at: .zero)
        #expect(!latch.admits(old))
        latch.confirm(try address("10.0.0.2", 4_000), at: .zero)
        #expect(latch.port == 4_000, "a NAT there may well have this number for it")
    }

    @Test
    func clearVoiceNeverMovesPort() throws {
        let latch = SymmetricRTPLatch(agreed: try address("10.0.0.1", 4_000), isAuthenticated: false)
        #expect(latch.admits(try address("10.0.0.1", 4_000)))
        #expect(!latch.admits(try address("10.0.0.1", 4_002)))
    }

    @Test
    func silenceStartsAndEndsOnce() {
        var inactivity = RTPInactivityTimer(timeout: .seconds(5))
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

    /// A far end that only listens, or announces that, is alive by its reports.
    @Test
    func listenerIsAliveByItsReports() {
        var inactivity = RTPInactivityTimer(timeout: .seconds(5))
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
    func playbackLevelIsAsLowAsDeviceAllows(buffer: Int, period: Int, quantum: Int, target: Int) {
        let level = PlaybackTarget(buffer: buffer, period: period, quantum: quantum)
        #expect(level.target == target)
        #expect(level.wakeup == buffer - target + quantum)
    }

    @Test
    func underrunsRaiseLevelAndQuietTimesLowerIt() {
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
