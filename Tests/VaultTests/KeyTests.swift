import Glibc
import Testing
import Vault

@Suite struct KeyTests {
    @Test func keyFileIsPrivateAndNotOverwritten() throws {
        let scratch = try Scratch()
        _ = try scratch.key()
        let bytes = scratch.read("key")
        var status = stat()
        #expect(unsafe stat(scratch.keyFile, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(bytes.count == 32)
        let error = failure { () throws(VaultError) in _ = try VaultKey.create(at: scratch.keyFile) }
        #expect(error == .alreadyExists(path: scratch.keyFile))
        #expect(scratch.read("key") == bytes)
    }

    @Test func keyFileOpensItsVault() throws {
        let scratch = try Scratch()
        do { _ = try VaultFile.create(at: scratch.vault, key: scratch.key()) }
        let found = try VaultKey.find(keyFile: scratch.keyFile, credentialsDirectory: nil)
        #expect(openingFails(scratch.vault, found) == nil)
    }

    @Test func credentialComesFirst() throws {
        let scratch = try Scratch()
        scratch.write(VaultKey.credentialName, [UInt8](repeating: 1, count: 32), mode: 0o440)
        let credential = try VaultKey.find(keyFile: scratch.keyFile, credentialsDirectory: scratch.folder)
        do { _ = try VaultFile.create(at: scratch.vault, key: credential) }
        _ = try scratch.key()
        let file = try VaultKey.find(keyFile: scratch.keyFile, credentialsDirectory: nil)
        let again = try VaultKey.find(keyFile: scratch.keyFile, credentialsDirectory: scratch.folder)
        #expect(openingFails(scratch.vault, file) == .wrongKey(path: scratch.vault))
        #expect(openingFails(scratch.vault, again) == nil)
    }

    @Test func invalidKeyFilesAreRefused() throws {
        let scratch = try Scratch()
        func finding() -> VaultError? {
            failure { () throws(VaultError) in
                _ = try VaultKey.find(keyFile: scratch.keyFile, credentialsDirectory: scratch.folder)
            }
        }
        let credential = scratch.folder + "/" + VaultKey.credentialName
        #expect(finding() == .keyNotFound(places: [credential, scratch.keyFile]))
        for mode: mode_t in [0o640, 0o604, 0o660] {
            scratch.write("key", [UInt8](repeating: 1, count: 32), mode: mode)
            #expect(finding() == .permissionsTooOpen(path: scratch.keyFile, mode: mode))
        }
        scratch.write("key", [UInt8](repeating: 1, count: 31))
        guard case .keyUnusable(scratch.keyFile, _) = finding() else {
            Issue.record("31 bytes were taken for a key")
            return
        }
        scratch.write("key", [UInt8](repeating: 1, count: 4_097))
        guard case .keyUnusable(scratch.keyFile, _) = finding() else {
            Issue.record("4,097 bytes were taken for a key")
            return
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func keyFileOfAnotherUserIsRefused() throws {
        let scratch = try Scratch()
        _ = try scratch.key()
        #expect(unsafe chown(scratch.keyFile, 12_345, 12_345) == 0)
        let error = failure { () throws(VaultError) in
            _ = try VaultKey.find(keyFile: scratch.keyFile, credentialsDirectory: nil)
        }
        guard case .keyUnusable(scratch.keyFile, _) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    @Test func keyIsNotPrinted() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var text = ""
        dump(key, to: &text)
        #expect("\(key) \(String(reflecting: key)) \(text)".contains("SymmetricKey") == false)
    }
}
