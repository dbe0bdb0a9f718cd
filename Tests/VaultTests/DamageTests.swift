import PhoneCore
import Testing
import Vault

/// Vaults that are sealed with the right key, but hold contents that this program would not write.
@Suite struct DamageTests {
    @Test func laterSchemaIsRefused() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, "PRAGMA user_version = 99"))
        #expect(openingFails(scratch.vault, key) == .newerVersion(found: 99, known: 12))
        #expect(openingFails(scratch.vault, key, .readOnly) == .newerVersion(found: 99, known: 12))
    }

    @Test func earlierSchemaIsMigrated() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", sealed(with: key, "CREATE TABLE before (x)"))
        let before = scratch.read("vault")
        #expect(openingFails(scratch.vault, key, .readOnly) == nil)
        #expect(scratch.read("vault") == before, "reading writes nothing")
        #expect(openingFails(scratch.vault, key) == nil)
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(report.isSound)
        #expect(scratch.read("vault") != before)
    }

    @Test func bytesThatAreNoDatabaseAreRefused() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let noise = [UInt8](repeating: 0xA5, count: 4_096)
        scratch.write("vault", unsafe noise.withUnsafeBytes { unsafe SealedImage.seal($0, with: key) })
        guard case .database = openingFails(scratch.vault, key) else {
            Issue.record("noise was taken for a database")
            return
        }
    }

    @Test(arguments: [
        ("UPDATE history SET reason = 'eaten'", "unknown direction or end"),
        ("UPDATE history SET missed_reason = 'eaten'", "missed for an unknown reason"),
    ])
    func invalidRowsAreReported(sql: String, problem: String) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.apply([.addHistory(entry("1"))])
        }
        try scratch.write("vault", changed(scratch.read("vault"), with: key, sql))
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(!report.isSound)
        #expect(report.description.contains(problem))
    }

    /// An unknown setting, perhaps of a later release, must not hide the others.
    @Test(arguments: ["11", "-1", "loud", "", "9999999999999999999"])
    func invalidSettingsGetDefaults(volume: String) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var settings = PhoneSettings()
        (settings.doNotDisturb, settings.callVolume, settings.ringVolume) = (true, 2, 9)
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.apply([.keep(settings)])
        }
        let sql = "UPDATE setting SET value = '\(volume)' WHERE name = 'phone.call-volume'"
        try scratch.write("vault", changed(scratch.read("vault"), with: key, sql))
        settings.callVolume = PhoneSettings().callVolume
        let found = try VaultFile.open(scratch.vault, key: key).phoneSettings()
        #expect(found == settings)
    }
}
