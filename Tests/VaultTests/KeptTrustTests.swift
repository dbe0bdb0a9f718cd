import PhoneCore
import Testing
import Vault

/// Facts that lines learned about their accounts' servers.
@Suite struct KeptTrustTests {
    static let known = [
        LineTrust(proof: .init(.sha2, hasClientNonce: true), realm: "example", isOverTLS: true),
        LineTrust(proof: .init(.md5, hasClientNonce: false), realm: ""), LineTrust(isOverTLS: true), LineTrust(),
    ]

    @Test(arguments: known) func learnedTrustRoundTrips(trust: LineTrust) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            let (first, second) = (try file.addAccount(account("one")), try file.addAccount(account("two")))
            try file.keepTrust(LineTrust(isOverTLS: true), of: first)
            try file.keepTrust(trust, of: first)
            try file.keepTrust(Self.known[0], of: second)
        }
        let accounts = try VaultFile.open(scratch.vault, key: key).accounts()
        #expect(accounts.map(\.account.trust) == [trust, Self.known[0]])
        #expect(try VaultFile.check(scratch.vault, key: key).isSound)
    }

    @Test func accountIsAddedWithItsTrust() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        var new = account("one")
        new.trust = Self.known[0]
        _ = try file.addAccount(new)
        let accounts = try file.accounts().map(\.account)
        #expect(accounts == [new])
    }

    @Test func adapterStoresTrustAndUnknownAccountHasNone() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        let id = try file.addAccount(account("one"))
        let vault = Vault(file) { _ in }
        try vault.start()
        vault.keep(Self.known[1], of: id)
        vault.perform(.addHistory(entry("1")))
        vault.keep(Self.known[0], of: id)
        for number in 2...200 { vault.keep(Self.known[0], of: AccountID(Int64(number))) }
        vault.close()
        let again = try VaultFile.open(scratch.vault, key: key)
        let (accounts, calls) = (try again.accounts(), try again.history().count)
        #expect(accounts.map(\.account.trust) == [Self.known[0]] && calls == 1)
        // The next added account does not inherit facts of a reused number.
        _ = consume again
        var later = try VaultFile.open(scratch.vault, key: key)
        _ = try later.addAccount(account("two"))
        let trusts = try later.accounts().map(\.account.trust)
        #expect(trusts == [Self.known[0], LineTrust()])
    }

    @Test func trustIsForgottenAloneOrWithAccount() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        let (first, second) = (try file.addAccount(account("one")), try file.addAccount(account("two")))
        for id in [first, second] { try file.keepTrust(Self.known[0], of: id) }
        let answers = [try file.forgetTrust(of: second), try file.forgetTrust(of: second)]
        #expect(answers == [true, false])
        let kept = try file.accounts().map(\.account.trust)
        #expect(kept == [Self.known[0], LineTrust()])

        _ = try file.removeAccount(first)
        _ = consume file
        // Behind the vault's back an account gets the number of the removed one.
        let sql = """
            INSERT INTO account (id, label, user, server, transport, registers, protection, accepts_from, created_ms)
            VALUES (\(first.rawValue), 'one', 'bob', 'elsewhere.example', 'udp', 1, 'off', '', 7);
            """
        scratch.write("vault", try changed(scratch.read("vault"), with: key, sql))
        let trusts = try VaultFile.open(scratch.vault, key: key).accounts().map(\.account.trust)
        #expect(trusts == [LineTrust(), LineTrust()])
    }

    @Test func checkFindsUnknownHash() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.keepTrust(Self.known[0], of: try file.addAccount(account("one")))
        }
        scratch.write(
            "vault", try changed(scratch.read("vault"), with: key, "UPDATE account_trust SET hash = 'rot13'"))
        #expect(try VaultFile.check(scratch.vault, key: key).isSound == false)
    }

    /// The former release's vault has no facts, and takes them.
    @Test func vaultOfVersion4TakesTrust() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            _ = try file.addAccount(account("one"))
        }
        scratch.write(
            "vault",
            try changed(
                scratch.read("vault"), with: key,
                "DROP TABLE backend_record; DROP TABLE device; DROP TABLE tried_context;"
                    + " ALTER TABLE organisation_context DROP COLUMN login_token;"
                    + " ALTER TABLE organisation_context DROP COLUMN kind;"
                    + " ALTER TABLE organisation_context DROP COLUMN server;"
                    + " ALTER TABLE organisation_context DROP COLUMN transport;"
                    + " DROP TABLE ringing_call; ALTER TABLE history DROP COLUMN called;"
                    + " ALTER TABLE organisation_context DROP COLUMN organisation_slug;"
                    + " DROP TABLE account_trust; DROP TABLE certificate; DROP TABLE peer_key; DROP TABLE account_ice;"
                    + " DROP TABLE ice_server; ALTER TABLE account DROP COLUMN kind;"
                    + " ALTER TABLE account DROP COLUMN token; ALTER TABLE account DROP COLUMN allows_clear_password;"
                    + " PRAGMA user_version = 4;"))
        do {
            var file = try VaultFile.open(scratch.vault, key: key)
            let before = try file.accounts()
            #expect(before.map(\.account) == [account("one")])
            try file.keepTrust(Self.known[0], of: before[0].id)
        }
        let after = try VaultFile.open(scratch.vault, key: key).accounts()
        #expect(after.map(\.account.trust) == [Self.known[0]])
        #expect(try VaultFile.check(scratch.vault, key: key).schemaVersion == 12)
    }
}
