import Base
import PhoneCore
import Testing
import Vault

@Suite struct ContentsTests {
    @Test func accountsRoundTrip() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let full = Account(
            label: "Office", user: "alice", authUser: "a-17", displayName: "Alice Ünlü", server: "192.0.2.7",
            port: 5070,
            transport: .tcp, registers: false, domain: "example.org", password: Redacted("pä$$'\"; DROP TABLE account"),
            protection: .offered, acceptsFrom: "server 10.0.0.0/8")
        let plain = Account(label: "Home", user: "bob", server: "sip.example.net")
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            #expect(try file.addAccount(full) == AccountID(1))
            #expect(try file.addAccount(plain) == AccountID(2))
        }
        let stored = try VaultFile.open(scratch.vault, key: key).accounts()
        #expect(stored.map(\.account) == [full, plain])
        #expect(stored.map(\.id) == [AccountID(1), AccountID(2)])
        #expect(!"\(stored)".contains("DROP"), "a password was printed")
    }

    @Test func tokenRoundTripsAndIsNotPrinted() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let token = "eyJ." + String(repeating: "x", count: Account.tokenLimit - 4)
        let account = Account(kind: .telnyx, label: "desk", user: "", server: "rtc.example", token: Redacted(token))
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            _ = try file.addAccount(account)
        }
        let stored = try VaultFile.open(scratch.vault, key: key).accounts()
        #expect(stored.map(\.account) == [account])
        #expect(!"\(stored)".contains("eyJ."), "a token was printed")
    }

    @Test(arguments: [true, false]) func clearPasswordPermissionIsStored(isAllowed: Bool) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var account = Account(
            kind: .verto, label: "desk", user: "1000", server: "pbx.example", transport: .ws, password: Redacted("p"))
        account.allowsClearPassword = isAllowed
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            _ = try file.addAccount(account)
        }
        #expect(try VaultFile.open(scratch.vault, key: key).accounts().map(\.account) == [account])
    }

    /// Servers distinguish phones of one account by it (RFC 5626): two vaults on one machine are two phones.
    @Test func eachAccountOfEachVaultIsSeparateDevice() throws {
        let (first, second) = try (Scratch(), Scratch())
        let key = try first.key()
        let devices = try [first, second].flatMap { scratch in
            var file = try VaultFile.create(at: scratch.vault, key: key)
            for label in ["one", "two"] { _ = try file.addAccount(account(label)) }
            return try file.accounts().map(\.device)
        }
        #expect(Set(devices).count == 4, "\(devices)")
        let again = try VaultFile.open(first.vault, key: key).accounts().map(\.device)
        #expect(again == Array(devices.prefix(2)))
    }

    @Test func accountNumbersAreNeverReused() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let first = try file.addAccount(account("one"))
        let removed = try file.removeAccount(first)
        let again = try file.removeAccount(first)
        let second = try file.addAccount(account("two"))
        #expect((removed, again) == (true, false))
        #expect(second != first)
    }

    /// To change an account is to remove and add it: the phone must dial from the same one afterwards.
    @Test func readdedAccountHasItsFormerPlace() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        let first = try file.addAccount(account("the office"))
        let second = try file.addAccount(account("two"))
        let device = try file.accounts()[0].device
        for server in ["pbx.example", "other.example"] {
            _ = try file.removeAccount(first)
            let again = try file.addAccount(Account(label: "the office", user: "x", server: server))
            #expect(again == first)
        }
        let stored = try file.accounts()
        #expect(stored.map(\.id) == [first, second] && stored[0].device == device)
        #expect(stored[0].account.server == "other.example")
        // A second account with the label, and one with another label, are new.
        let same = try file.addAccount(account("the office"))
        let third = try file.addAccount(account("three"))
        #expect(Set([first, second, same, third]).count == 4)
    }

    @Test func lastRemovedAccountsAreRemembered() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        var ids: [AccountID] = []
        for number in 0..<40 {
            ids.append(try file.addAccount(account("\(number)")))
            _ = try file.removeAccount(ids[number])
        }
        let (oldest, newest) = (try file.addAccount(account("0")), try file.addAccount(account("39")))
        #expect(oldest != ids[0] && newest == ids[39])
    }

    @Test(arguments: [
        ("label", account("")), ("label", account("a\nb")), ("password", account("x", password: "p\0")),
        ("password", account("x", password: String(repeating: "x", count: 257))),
        ("user", Account(label: "x", user: "", server: "z")),
        ("token", Account(label: "x", user: "", server: "z", token: Redacted(""))),
        ("token", Account(label: "x", user: "", server: "z", token: Redacted("a b"))),
        ("token", Account(label: "x", user: "", server: "z", token: Redacted("a\n"))),
        ("token", Account(label: "x", user: "", server: "z", token: Redacted(String(repeating: "x", count: 4_097)))),
        ("port", Account(label: "x", user: "y", server: "z", port: 0)),
    ])
    func invalidAccountsAreRefusedByField(field: String, account: Account) throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let error = failure { () throws(VaultError) in _ = try file.addAccount(account) }
        guard case .invalidValue(field, _) = error else {
            Issue.record("expected a complaint about \(field), got \(String(describing: error))")
            return
        }
        let left = try file.accounts()
        #expect(left.isEmpty)
    }

    @Test func accountCountIsLimited() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        for number in 1...VaultFile.accountsMaximum { _ = try file.addAccount(account("\(number)")) }
        let error = failure { () throws(VaultError) in _ = try file.addAccount(account("one more")) }
        #expect(error == .limitReached(what: "accounts", limit: VaultFile.accountsMaximum))
    }

    @Test func settingsAreStoredReplacedAndRemoved() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.set("ring.volume", to: "7")
            try file.set("ring.volume", to: "8")
            try file.set("contrast", to: "3")
            try file.set("contrast", to: nil)
        }
        let file = try VaultFile.open(scratch.vault, key: key)
        let (volume, contrast) = (try file.setting("ring.volume"), try file.setting("contrast"))
        #expect(volume == "8")
        #expect(contrast == nil)
    }

    @Test func settingsAreLimited() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let long = String(repeating: "x", count: VaultFile.settingBytesMaximum + 1)
        let error = failure { () throws(VaultError) in try file.set("greeting", to: long) }
        guard case .invalidValue = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    static let reasons: [EndReason] = [
        .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced, .noAnswer,
        .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .rejected(404), .rejected(-1), .unreachable,
        .lineNotReady, .incompatible, .insecurePath, .anonymityRefused, .pickupUnnamed, .mediaFailed, .mediaLost,
        .networkLost, .timedOut,
        .organisation(.noOrganisation), .organisation(.network),
        .organisation(.api(503)), .organisation(.api(-1)), .organisation(.parse), .organisation(.timeout),
        .organisation(.credentialStore), .organisation(.connection), .organisation(.abandoned), .transferred, .tooLong,
        .interrupted, .shutDown,
    ]

    @Test func everyEndReasonRoundTrips() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply(Self.reasons.map { .addHistory(entry("1", reason: $0)) })
        let kept = try file.history()
        #expect(kept.map(\.reason) == Self.reasons.reversed())
    }

    @Test func everyMissedReasonRoundTrips() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply(MissedReason.allCases.map { .addHistory(entry("1", missed: $0)) } + [.addHistory(entry("2"))])
        let kept = try file.history()
        #expect(kept.map(\.missed) == [nil] + MissedReason.allCases.reversed())
    }

    @Test func callTimesUseWallClock() throws {
        let scratch = try Scratch()
        let now = VaultClock.Reading(
            monotonic: Instant(nanoseconds: 100_000_000_000), wall: WallTime(unixMilliseconds: 1_700_000_000_000))
        var file = try VaultFile.create(
            at: scratch.vault, key: scratch.key(), clock: VaultClock(boot: "one") { now })
        let quality = VoiceQuality(opinionScore: 4.25, lossPercent: 0, bufferMilliseconds: 60.5)
        var call = entry("+4930123", missed: nil)
        call.name = "Bob"
        call.organisation = "Builders & Sons"
        call.account = AccountID(3)
        call.started = Instant(nanoseconds: 40_000_000_000)
        call.answered = Instant(nanoseconds: 45_500_000_000)
        call.ended = Instant(nanoseconds: 99_000_000_000)
        (call.quality, call.protection) = (quality, .sdes)
        try file.apply([.addHistory(call), .addHistory(entry(String(repeating: "9", count: 300)))])
        let kept = try file.history()
        #expect(kept[0].number.count == VaultFile.callTextMaximum)
        #expect(kept[0].quality == nil)
        #expect(kept[1].name == "Bob")
        #expect((kept[0].organisation, kept[1].organisation) == (nil, "Builders & Sons"))
        #expect(kept[1].account == AccountID(3))
        #expect(kept[1].started == WallTime(unixMilliseconds: 1_699_999_940_000))
        #expect(kept[1].answered == WallTime(unixMilliseconds: 1_699_999_945_500))
        #expect(kept[1].ended == WallTime(unixMilliseconds: 1_699_999_999_000))
        #expect(kept[1].quality == quality)
        #expect((kept[0].protection, kept[1].protection) == (nil, .sdes))
    }

    @Test func newestThousandCallsAreKept() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply((1...1_003).map { .addHistory(entry("\($0)")) })
        try file.apply([.addHistory(entry("1004"))])
        let numbers = try file.history().map(\.number)
        #expect(numbers == (5...1_004).reversed().map { "\($0)" })
    }

    @Test func missedCallsAreCountedUntilSeen() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply([
            .addHistory(entry("1", missed: .declined)), .addHistory(entry("2")),
            .addHistory(entry("3", missed: .timeout)),
        ])
        let before = try file.missedUnseen()
        try file.markMissedSeen()
        let after = try file.missedUnseen()
        try file.apply([.addHistory(entry("4", missed: .timeout))])
        let again = try file.missedUnseen()
        #expect((before, after, again) == (2, 0, 1))
        let seen = try file.history().map(\.seen)
        #expect(seen == [false, true, false, true])
    }

    @Test func missedCallsAreSeenOneByOne() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let calls = (1...3).map { number in
            var call = entry("\(number)", missed: .timeout)
            call.started = Instant(nanoseconds: Int64(number) * 1_000)
            return call
        }
        do {
            var file = try VaultFile.create(
                at: scratch.vault, key: key, clock: OrphanTests.clock(boot: "one", monotonic: 60, wall: 1_000))
            try file.apply(calls.map { .addHistory($0) })
            // The wall clock may be set in between: the call is identified by its instant.
            try file.apply([.missedCallsSeen(calls[1].started), .missedCallsSeen(Instant(nanoseconds: 2_001))])
            let seen = try file.history().map(\.seen)
            #expect(seen == [false, true, false])
        }
        var file = try VaultFile.open(
            scratch.vault, key: key, clock: OrphanTests.clock(boot: "two", monotonic: 5, wall: 2_000))
        try file.apply([.missedCallsSeen(calls[0].started)])
        let others = try file.missedUnseen()
        try file.apply([.missedCallsSeen(nil)])
        let none = try file.missedUnseen()
        #expect((others, none) == (2, 0), "the same instant of another start of the machine is another call's")
    }

    @Test func reportHasContentsButNoSecret() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        _ = try file.addAccount(account("one", password: "topsecret"))
        try file.apply([.addHistory(entry("0301234", missed: .timeout)), .keepContext(context("acme"), ticket: 1)])
        try file.addContacts([Contact(name: "Mallory", number: "0301234")])
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(report.isSound)
        #expect((report.accounts, report.calls, report.missedUnseen, report.holdsCall) == (1, 1, 1, false))
        #expect((report.contacts, report.schemaVersion) == (1, 12))
        #expect(report.bytes == scratch.read("vault").count)
        for secret in ["topsecret", "0301234", "Mallory", "open sesame"] {
            #expect(!report.description.contains(secret))
        }
    }
}
