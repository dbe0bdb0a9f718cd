import Base
import PhoneCore
import Testing
import Vault

/// Vaults that earlier releases wrote.
@Suite struct MigrationTests {
    /// The first release's tables, unchanged.
    static let version1 = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, user TEXT NOT NULL, auth_user TEXT,
            display_name TEXT, server TEXT NOT NULL, port INTEGER, transport TEXT NOT NULL,
            registers INTEGER NOT NULL, domain TEXT, password TEXT, protection TEXT NOT NULL,
            accepts_from TEXT NOT NULL, created_ms INTEGER NOT NULL) STRICT;
        CREATE TABLE persisted_call (
            id INTEGER PRIMARY KEY CHECK (id = 1), call TEXT NOT NULL, direction TEXT NOT NULL,
            number TEXT NOT NULL, name TEXT, account INTEGER NOT NULL, boot TEXT, started_ns INTEGER NOT NULL,
            answered_ns INTEGER NOT NULL, started_ms INTEGER NOT NULL, answered_ms INTEGER NOT NULL) STRICT;
        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT, direction TEXT NOT NULL, number TEXT NOT NULL, name TEXT,
            account INTEGER NOT NULL, started_ms INTEGER NOT NULL, answered_ms INTEGER,
            ended_ms INTEGER NOT NULL, reason TEXT NOT NULL, missed INTEGER NOT NULL,
            seen INTEGER NOT NULL DEFAULT 0, has_quality INTEGER NOT NULL, opinion_score REAL, jitter_ms REAL,
            round_trip_ms REAL, loss_percent REAL, concealed_percent REAL, buffer_ms REAL) STRICT;
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 1;
        """

    struct OldCall {
        let reason: String
        let missed: Bool
        let means: (EndReason, MissedReason?)
    }

    static let oldCalls = [
        OldCall(reason: "hung up here", missed: false, means: (.hungUpHere, nil)),
        OldCall(reason: "answered elsewhere", missed: false, means: (.answeredElsewhere, nil)),
        OldCall(reason: "cancelled there", missed: true, means: (.cancelledThere, .remoteHungUp)),
        OldCall(reason: "hung up there", missed: true, means: (.hungUpThere, .remoteHungUp)),
        OldCall(reason: "no answer", missed: true, means: (.noAnswer, .timeout)),
        OldCall(reason: "no answer", missed: false, means: (.noAnswer, nil)),
        OldCall(reason: "declined", missed: true, means: (.declined, .declined)),
        OldCall(reason: "hung up here", missed: true, means: (.hungUpHere, .declined)),
        OldCall(reason: "refused busy", missed: true, means: (.refusedBusy, .rejectedBusy)),
        OldCall(reason: "media failed", missed: true, means: (.mediaFailed, .failed)),
        OldCall(reason: "rejected 480", missed: true, means: (.rejected(480), .failed)),
    ]

    static var contents: String {
        let calls = oldCalls.map { call in
            """
            INSERT INTO history (direction, number, account, started_ms, ended_ms, reason, missed, seen, has_quality,
                opinion_score) VALUES ('\(call.missed ? "incoming" : "outgoing")', '030', 1, 5000, 6000,
                '\(call.reason)', \(call.missed ? 1 : 0), 0, 1, 4.5);
            """
        }
        return """
            INSERT INTO account (label, user, server, transport, registers, password, protection, accepts_from,
                created_ms) VALUES ('Home', 'alice', 'sip.example.org', 'tcp', 1, 'secret', 'mandatory', '', 7);
            INSERT INTO persisted_call VALUES (1, 'out-4', 'outgoing', '123', 'Ann', 1, 'one', 50, 60, 5000, 6000);
            INSERT INTO setting VALUES ('greeting', 'hello');
            """ + calls.joined()
    }

    @Test func firstReleaseVaultIsMigratedWithAllContents() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, Self.version1 + Self.contents))
        let clock = OrphanTests.clock(boot: "one", monotonic: 60, wall: 1_000)
        do {
            let file = try VaultFile.open(scratch.vault, key: key, clock: clock)
            try expectContents(file)
        }
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(report.isSound)
        #expect((report.schemaVersion, report.calls, report.missedUnseen) == (12, Self.oldCalls.count, 8))
        // Twice more, from the written file.
        let devices = try (0..<2).map { _ in
            let again = try VaultFile.open(scratch.vault, key: key, clock: clock)
            try expectContents(again)
            return try again.accounts().map(\.device)
        }
        #expect(devices[0] == devices[1] && devices[0].allSatisfy { $0.count == 32 })
    }

    /// Programs know the phone by its oldest account's device, and go on doing so.
    @Test func phoneKeepsItsIdentifierFromTheOldestAccount() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, Self.version1 + Self.contents))
        let found = try (0..<2).map { _ in
            let file = try VaultFile.open(scratch.vault, key: key)
            return [try file.device(), try file.accounts()[0].device]
        }
        #expect(Set(found.joined()).count == 1 && found[0][0].count == 32)
        let (empty, other) = (try Scratch(), try Scratch())
        let emptyKey = try empty.key()
        let device = try VaultFile.create(at: empty.vault, key: emptyKey).device()
        let again = try VaultFile.open(empty.vault, key: emptyKey).device()
        let another = try VaultFile.create(at: other.vault, key: try other.key()).device()
        #expect(device == again && device.count == 32 && device != another)
    }

    @Test func readingChangesNothingOnDisk() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, Self.version1 + Self.contents))
        let before = scratch.read("vault")
        let clock = OrphanTests.clock(boot: "one", monotonic: 60, wall: 1_000)
        let file = try VaultFile.open(scratch.vault, key: key, access: .readOnly, clock: clock)
        try expectContents(file)
        #expect(scratch.read("vault") == before)
    }

    @Test func migratedVaultTakesNewFields() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, Self.version1 + Self.contents))
        let ringing = RingingCall(call: "in-1.1", number: "5", name: nil, account: AccountID(1), started: .zero)
        do {
            var file = try VaultFile.open(scratch.vault, key: key)
            var call = OrphanTests.call
            call.memo = "memo"
            try file.apply([.persist(call), .addHistory(entry("9", missed: .noOffer)), .missedCallsSeen(nil)])
            try file.apply([.persistRinging(ringing)])
            try file.addContacts([Contact(name: "Ann", number: "123")])
        }
        let file = try VaultFile.open(scratch.vault, key: key)
        let (memo, unseen) = (try file.persistedCall()?.memo, try file.missedUnseen())
        let (missed, contacts) = (try file.history(limit: 1).map(\.missed), try file.contacts())
        let rang = try file.ringingCalls().map(\.number)
        #expect((memo, unseen) == ("memo", 0))
        #expect(rang == ["5"])
        #expect(missed == [.noOffer])
        #expect(contacts == [Contact(name: "Ann", number: "123")])
    }

    private func expectContents(_ file: borrowing VaultFile) throws {
        let history = try file.history().reversed()
        #expect(history.map(\.reason) == Self.oldCalls.map(\.means.0))
        #expect(history.map(\.missed) == Self.oldCalls.map(\.means.1))
        #expect(history.allSatisfy { $0.number == "030" && $0.quality?.opinionScore == 4.5 && $0.organisation == nil })
        #expect(history.allSatisfy { $0.started.unixMilliseconds == 5_000 && !$0.seen })
        let (accounts, greeting) = (try file.accounts(), try file.setting("greeting"))
        #expect(accounts.map(\.account.password) == [Redacted("secret")])
        #expect(greeting == "hello")
        let (orphan, contacts) = (try file.persistedCall(), try file.contacts())
        #expect(orphan?.answered == Instant(nanoseconds: 60) && orphan?.memo == nil && orphan?.name == "Ann")
        #expect(contacts.isEmpty)
    }
}
