import Base
import PhoneCore
import Testing
import Vault

/// A call that was active when the program died, found by the next one: on the same start of the machine or another.
@Suite struct OrphanTests {
    static let second: Int64 = 1_000_000_000
    static let call = PersistedCall(
        call: "in-1.7", direction: .incoming, number: "123", name: "Ann", account: AccountID(1),
        started: Instant(nanoseconds: 50 * second), answered: Instant(nanoseconds: 53 * second + 7),
        memo: "dialog 7 of in-1")

    struct Restart: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The machine's start, its monotonic second and its wall-clock second when the orphan is read.
        let boot: String?
        let monotonic: Int64
        let wall: Int64
        let started: Int64
        let answered: Int64
    }

    /// The call is stored at monotonic second 60 of start "one", wall-clock second 1000.
    @Test(arguments: [
        Restart(
            testDescription: "same start, wall clock set back an hour: exact", boot: "one", monotonic: 70, wall: -2_600,
            started: 50 * second, answered: 53 * second + 7),
        Restart(
            testDescription: "another start: by the wall clock, before the origin", boot: "two", monotonic: 5,
            wall: 1_100, started: -105 * second, answered: -102 * second),
        Restart(
            testDescription: "another start, wall clock in the past: now", boot: "two", monotonic: 5, wall: 10,
            started: 5 * second, answered: 5 * second),
        Restart(
            testDescription: "a kernel that does not tell its start", boot: nil, monotonic: 5, wall: 1_000,
            started: -5 * second, answered: -2 * second),
        Restart(
            testDescription: "a wall clock of a far future: ten years", boot: "two", monotonic: 0, wall: 1 << 40,
            started: -10 * 366 * 86_400 * second, answered: -10 * 366 * 86_400 * second),
    ])
    func orphanTimesArePlausible(_ restart: Restart) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(
                at: scratch.vault, key: key, clock: Self.clock(boot: "one", monotonic: 60, wall: 1_000))
            try file.apply([.persist(Self.call)])
        }
        let clock = Self.clock(boot: restart.boot, monotonic: restart.monotonic, wall: restart.wall)
        let found = try VaultFile.open(scratch.vault, key: key, clock: clock).persistedCall()
        var expected = Self.call
        expected.started = Instant(nanoseconds: restart.started)
        expected.answered = Instant(nanoseconds: restart.answered)
        #expect(found == expected)
    }

    @Test func atMostOneOrphanIsStoredAndCleared() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(
            at: scratch.vault, key: scratch.key(), clock: Self.clock(boot: "one", monotonic: 60, wall: 1_000))
        var second = Self.call
        second.call = "out-2"
        try file.apply([.persist(Self.call), .persist(second)])
        let found = try file.persistedCall()
        try file.apply([.clearPersisted])
        let cleared = try file.persistedCall()
        #expect(found == second)
        #expect(cleared == nil)
    }

    /// A truncated memo could send BYE to another call.
    @Test(arguments: [(VaultFile.memoBytesMaximum, true), (VaultFile.memoBytesMaximum + 1, false)])
    func memoIsStoredWholeOrNotAtAll(bytes: Int, isKept: Bool) throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        var call = Self.call
        call.memo = String(repeating: "m", count: bytes)
        try file.apply([.persist(call)])
        let found = try file.persistedCall()
        #expect(found?.memo == (isKept ? call.memo : nil))
        #expect(found?.number == call.number)
    }

    static func clock(boot: String?, monotonic: Int64, wall: Int64) -> VaultClock {
        let now = VaultClock.Reading(
            monotonic: Instant(nanoseconds: monotonic * second), wall: WallTime(unixMilliseconds: wall * 1_000))
        return VaultClock(boot: boot) { now }
    }
}
