import Base
import PhoneCore
import Testing
import Vault

/// The state that a phone restores after a restart.
@Suite struct MemoryTests {
    @Test func newPhoneHasEmptyMemory() throws {
        let scratch = try Scratch()
        let file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let memory = file.memory { Issue.record("\($0)") }
        #expect(memory == PhoneMemory())
    }

    private static func key(_ number: String, _ octet: UInt8) -> PeerFingerprint {
        PeerFingerprint(.init(account: .direct, number: number), fingerprint: Array(repeating: octet, count: 32))
    }

    @Test func everythingIsRestored() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var expected = PhoneMemory()
        expected.settings.doNotDisturb = true
        expected.settings.callVolume = 0
        expected.settings.ringVolume = PhoneSettings.loudest
        expected.settings.wrongCodes = 6
        expected.settings.wrongCodesByCaller = [
            .init(relay: 1, caller: ListedCaller("+49 30 1234"), count: 6),
            .init(relay: 2, caller: ListedCaller("anna", domain: "door.example"), count: 3),
            .init(relay: 2, caller: ListedCaller(nil, domain: "door.example"), count: 1),
        ]
        expected.contacts = [ContactTests.ann]
        expected.unseenMissedCalls = 2
        expected.missed = [(3, "0303", .timeout), (4, "0304", .noOffer)].map { id, number, reason in
            MissedCall(
                call: CallID(.past, id), number: number, name: nil, account: .direct, at: .zero, reason: reason)
        }
        expected.lastDialled = "0302"
        expected.peerKeys = [Self.key("0301", 2), Self.key("0302", 1)]
        expected.context = context("acme")
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.addContacts([ContactTests.ann])
            try file.apply([
                .addHistory(entry("0301")), .addHistory(entry("0302")), .addHistory(entry("0303", missed: .timeout)),
                .addHistory(entry("0304", missed: .noOffer)), .keep(PhoneSettings()), .keep(expected.settings),
                .keepKey(Self.key("0302", 3)), .keepKey(Self.key("0301", 2)), .keepKey(Self.key("0302", 1)),
                .keepKey(Self.key("0303", 1)), .forgetKey(Self.key("0303", 1).peer),
                .keepContext(context("other", password: "old"), ticket: 1), .keepContext(context("acme"), ticket: 2),
            ])
        }
        let log = VaultTests.Log()
        let vault = Vault(try VaultFile.open(scratch.vault, key: key)) { log.add($0) }
        try vault.start()
        vault.close()
        #expect(log.events == [.remembered(expected)])
        #expect(!"\(log.events)".contains("open sesame"), "a password was printed")
    }

    /// Goal: one damaged part does not affect the others. Method: damage each in turn.
    @Test(arguments: [
        "UPDATE contact SET blocked = 'x'", "UPDATE organisation_context SET password = NULL",
        "UPDATE history SET number = NULL",
    ])
    func unreadablePartIsReportedAndOthersAreRestored(sql: String) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.addContacts([ContactTests.ann])
            try file.apply([.addHistory(entry("0301")), .keepContext(context("acme"), ticket: 1)])
        }
        // STRICT tables refuse such values; a later release, or a memory fault, may still have written them.
        let weakened = """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), 'NOT NULL', '');
            PRAGMA writable_schema = RESET; \(sql)
            """
        try scratch.write("vault", changed(scratch.read("vault"), with: key, weakened))
        let file = try VaultFile.open(scratch.vault, key: key, access: .readOnly)
        var told: [VaultError] = []
        let memory = file.memory { told.append($0) }
        #expect(told.count == 1)
        let found = [
            memory.contacts == [ContactTests.ann], memory.context == context("acme"), memory.lastDialled == "0301",
        ]
        #expect(found.count { $0 } == 2, "\(found)")
    }
}
