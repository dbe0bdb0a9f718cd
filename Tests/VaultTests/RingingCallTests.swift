import Base
import PhoneCore
import Testing
import Vault

/// Calls that rang when the program died, and missed calls that nobody has seen, as the next process finds them.
@Suite struct RingingCallTests {
    private static let call = RingingCall(
        call: "in-1.7", number: "+12125550100", name: "Ada", called: "+12125550199",
        organisation: Organisation(id: OrganisationID("17"), name: "Acme", slug: "acme"), account: AccountID(4),
        started: Instant(nanoseconds: 50 * OrphanTests.second))

    @Test func isFoundByTheNextProcess() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let plain = RingingCall(
            call: "in-1.8", number: "2", name: nil, account: AccountID(1),
            started: Instant(nanoseconds: 51 * OrphanTests.second))
        do {
            var file = try VaultFile.create(
                at: scratch.vault, key: key, clock: OrphanTests.clock(boot: "one", monotonic: 60, wall: 1_000))
            var renamed = Self.call
            renamed.name = nil
            try file.apply([.persistRinging(renamed), .persistRinging(plain), .persistRinging(Self.call)])
        }
        let clock = OrphanTests.clock(boot: "one", monotonic: 70, wall: 5)
        var file = try VaultFile.open(scratch.vault, key: key, clock: clock)
        let found = try file.ringingCalls()
        #expect(found == [Self.call, plain], "the last facts of each")
        try file.apply([.clearRinging("in-1.7")])
        let left = try file.ringingCalls()
        #expect(left == [plain])
    }

    @Test func anotherBootCountsByTheWallClock() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(
                at: scratch.vault, key: key, clock: OrphanTests.clock(boot: "one", monotonic: 60, wall: 1_000))
            try file.apply([.persistRinging(Self.call)])
        }
        let clock = OrphanTests.clock(boot: "two", monotonic: 5, wall: 1_100)
        let started = try VaultFile.open(scratch.vault, key: key, clock: clock).ringingCalls().map(\.started)
        #expect(started == [Instant(nanoseconds: -105 * OrphanTests.second)])
    }

    @Test func textsOfCallersAreLimited() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        var call = Self.call
        call.number = String(repeating: "1", count: 100_000)
        try file.apply([.persistRinging(call)])
        let found = try file.ringingCalls()
        #expect(found.map(\.number.count) == [VaultFile.callTextMaximum])
    }

    // MARK: Missed calls

    private static func missed(_ number: String, called: String? = nil) -> HistoryEntry {
        HistoryEntry(
            direction: .incoming, number: number, name: "Ada", called: called, organisation: "Acme",
            account: AccountID(4), started: Instant(nanoseconds: 50 * OrphanTests.second), answered: nil,
            ended: Instant(nanoseconds: 60 * OrphanTests.second), reason: .interrupted, missed: .interrupted,
            quality: nil)
    }

    @Test func unseenMissedCallsAreListedAndClearedSingly() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let clock = OrphanTests.clock(boot: "one", monotonic: 60, wall: 1_000)
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key, clock: clock)
            try file.apply([.addHistory(Self.missed("1")), .addHistory(entry("2")), .addHistory(Self.missed("3"))])
        }
        var file = try VaultFile.open(scratch.vault, key: key, clock: clock)
        var unreadable: [VaultError] = []
        let memory = file.memory { unreadable.append($0) }
        #expect(unreadable.isEmpty)
        #expect(memory.missed?.map(\.call) == [CallID(.past, 1), CallID(.past, 3)])
        #expect(memory.missed?.map(\.number) == ["1", "3"] && memory.missed?.first?.name == "Ada")
        #expect(memory.missed?.first?.organisation == "Acme" && memory.missed?.first?.account == AccountID(4))
        #expect(memory.missed?.first?.at == Instant(nanoseconds: 50 * OrphanTests.second))
        #expect(memory.missed?.first?.reason == .interrupted)
        try file.apply([.formerMissedCallSeen(1), .formerMissedCallSeen(2)])
        let (unseen, left) = (try file.missedUnseen(), try file.newestMissedUnseen().map(\.number))
        #expect(unseen == 1 && left == ["3"])
        try file.apply([.missedCallsSeen(nil)])
        let none = file.memory { unreadable.append($0) }.missed
        #expect(none == nil)
    }

    @Test func hundredNewestAreListed() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply((1...130).map { .addHistory(Self.missed("\($0)")) })
        let listed = try file.newestMissedUnseen()
        #expect(listed.map(\.number) == (31...130).map { "\($0)" })
    }

    @Test func calledNumberIsInTheHistory() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply([.addHistory(Self.missed("1", called: "+12125550199")), .addHistory(Self.missed("2"))])
        let called = try file.history().map(\.called)
        #expect(called == [nil, "+12125550199"])
    }

    @Test func historyIsForgotten() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply([.addHistory(Self.missed("1")), .clearHistory])
        let (left, unseen) = (try file.history().count, try file.missedUnseen())
        #expect(left == 0 && unseen == 0)
    }

    @Test func shortNameOfTheOrganisationIsKept() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        var kept = context("17")
        kept.organisation.slug = "acme"
        try file.apply([.keepContext(kept, ticket: 1)])
        let found = try file.context()
        #expect(found == kept)
    }
}
