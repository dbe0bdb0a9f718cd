import Base
import Cryptography
import Testing
import Vault

/// The phone's own certificate, by which far ends recognise it.
@Suite struct CertificateTests {
    @Test func certificateSurvivesReopening() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let identity = try DTLSIdentity.make()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            #expect(try file.identity() == nil, "a new vault has none")
            try file.keep(.make())
            try file.keep(identity)
        }
        let kept = try #require(try VaultFile.open(scratch.vault, key: key).identity())
        #expect(kept.certificate == identity.certificate && kept.key == identity.key)
        _ = try DTLSContext(kept)
    }

    @Test func privateKeyIsNowhereInFile() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let identity = try DTLSIdentity.make()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.keep(identity)
        }
        let bytes = scratch.read("vault")
        let secret = unsafe identity.key.withBytes { unsafe Array($0) }
        #expect(bytes.firstRange(of: secret) == nil)
        #expect(bytes.firstRange(of: Array(secret.hexadecimal.utf8)) == nil)
    }

    /// The former release's vault has none, and takes one.
    @Test func vaultOfVersion5TakesCertificate() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
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
                    + " DROP TABLE certificate; DROP TABLE peer_key; DROP TABLE account_ice; DROP TABLE ice_server;"
                    + " ALTER TABLE account DROP COLUMN kind;"
                    + " ALTER TABLE account DROP COLUMN token; ALTER TABLE account DROP COLUMN allows_clear_password;"
                    + " PRAGMA user_version = 5;"))
        var file = try VaultFile.open(scratch.vault, key: key)
        #expect(try file.identity() == nil)
        let identity = try DTLSIdentity.make()
        try file.keep(identity)
        #expect(try file.identity()?.certificate == identity.certificate)
    }

    /// A key that is not in hexadecimal is damage, and reported as such.
    @Test func damagedCertificateIsReported() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.keep(.make())
        }
        scratch.write("vault", try changed(scratch.read("vault"), with: key, "UPDATE certificate SET key = 'xyz'"))
        let file = try VaultFile.open(scratch.vault, key: key)
        #expect(throws: VaultError.self) { try file.identity() }
        #expect(try VaultFile.check(scratch.vault, key: key).isSound == false)
    }
}
