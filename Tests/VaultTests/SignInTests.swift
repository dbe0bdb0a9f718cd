import Base
import PhoneCore
import Testing
import Vault

/// What the vault keeps of a sign-in at a backend, and what it forgets.
@Suite struct SignInTests {
    private static func record(_ text: String) -> Redacted<[UInt8]> { Redacted(Array(text.utf8)) }

    private static func kept(_ file: borrowing VaultFile, _ name: String = "sign-in") throws -> String? {
        try file.record(name).map { String(decoding: $0.reveal(), as: UTF8.self) }
    }

    @Test func recordSurvivesReopeningAndIsReplacedWhole() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.keep(Self.record("device-token-1"), as: "sign-in")
            try file.keep(Self.record("device-token-2"), as: "sign-in")
            try file.keep(Self.record("keys"), as: "keys")
        }
        var file = try VaultFile.open(scratch.vault, key: key)
        let before = try Self.kept(file)
        try file.keep(nil, as: "sign-in")
        let (after, other) = (try Self.kept(file), try Self.kept(file, "keys"))
        #expect(before == "device-token-2" && after == nil && other == "keys")
        #expect(ClearBytesTests.leaks(in: scratch).isEmpty)
        let bytes = String(decoding: scratch.read("vault"), as: UTF8.self)
        #expect(!bytes.contains("device-token"))
    }

    @Test func recordsAreBounded() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        let large = Redacted([UInt8](repeating: 7, count: VaultFile.recordBytesMaximum))
        for number in 0..<VaultFile.recordsMaximum { try file.keep(large, as: "record-\(number)") }
        let more = failure { () throws(VaultError) in try file.keep(large, as: "one more") }
        #expect(more == .limitReached(what: "records", limit: VaultFile.recordsMaximum))
        let longer = Redacted(large.reveal() + [7])
        let tooLong = failure { () throws(VaultError) in try file.keep(longer, as: "record-1") }
        #expect(tooLong == .limitReached(what: "bytes of a record", limit: VaultFile.recordBytesMaximum))
        let unnamed = failure { () throws(VaultError) in try file.keep(large, as: "") }
        #expect(unnamed != nil)
        try file.keep(large, as: "record-1")
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(report.isSound && report.records == VaultFile.recordsMaximum)
    }

    @Test func signingOutForgetsAllOfItAndNothingElse() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        let own = try file.addAccount(account("own"))
        let signedIn = try file.keepAccountOfSignIn(account("backend", password: "first"))
        try file.keep(Self.record("device-token-1"), as: "sign-in")
        try file.apply([.keepContext(context("acme"), ticket: 1), .tryContext(context("other"), ticket: 2)])
        try file.apply([.addHistory(entry("1"))])
        try file.addContacts([Contact(name: "Ann", number: "123")])
        let device = try file.device()
        let marked = try file.accountOfSignIn()
        #expect(marked == signedIn)
        try file.apply([.forgetSignIn])
        for _ in 0..<2 {
            let (record, current, mark) = (try Self.kept(file), try file.context(), try file.accountOfSignIn())
            #expect(record == nil && current == nil && mark == nil)
            let (accounts, calls, contacts) = (try file.accounts(), try file.history(), try file.contacts())
            #expect(accounts.map(\.id) == [own] && calls.count == 1 && contacts.count == 1)
            let now = try file.device()
            #expect(now == device, "the device outlives its users")
            try file.apply([.forgetSignIn])
        }
        // The next sign-in with the same name is the same account to history and settings.
        let again = try file.keepAccountOfSignIn(account("backend"))
        #expect(again == signedIn)
    }

    @Test func laterSignInReplacesItsAccount() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        _ = try file.addAccount(account("own"))
        let first = try file.keepAccountOfSignIn(account("backend", password: "first"))
        let device = try file.accounts().last?.device
        let second = try file.keepAccountOfSignIn(account("other name", password: "second"))
        #expect(first == second)
        let accounts = try file.accounts()
        #expect(accounts.map(\.account.label) == ["own", "other name"])
        #expect(accounts.last?.account.password == Redacted("second") && accounts.last?.device == device)
        let taken = failure { () throws(VaultError) in _ = try file.keepAccountOfSignIn(account("own")) }
        #expect(taken == .invalidValue(field: "label", expected: "one that no other account has"))
    }

    /// A start after a power cut during a change of organisation finds the former one.
    @Test func triedContextDoesNotCountUntilItIsKept() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.apply([.keepContext(context("before"), ticket: 1)])
            try file.apply([.tryContext(context("after"), ticket: 2)])
        }
        var file = try VaultFile.open(scratch.vault, key: key)
        let found = try file.context()
        #expect(found == context("before"))
        var after = context("after")
        after.credentials.loginToken = Redacted("token-1")
        try file.apply([.keepContext(after, ticket: 3)])
        let kept = try VaultFile.open(scratch.vault, key: key, access: .readOnly).context()
        #expect(kept == after)
    }

    @Test(arguments: ["", "a b", String(repeating: "x", count: 5_000)])
    func invalidLoginTokenIsRefused(_ token: String) throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        var bad = context("acme")
        bad.credentials.loginToken = Redacted(token)
        let refusal = failure { () throws(VaultError) in try file.apply([.keepContext(bad, ticket: 1)]) }
        let kept = try file.context()
        #expect(refusal != nil && kept == nil)
    }

    /// The thread writes changes in their order, and reports a record when it is on the disk.
    @Test func recordIsOnDiskBeforeItsAnswer() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { _ in }
        let (answers, feed) = AsyncStream.makeStream(of: String.self)
        vault.keep(Self.record("device-token-1"), as: "sign-in") { isKept in
            let file = try? VaultFile.open(scratch.vault, key: key, access: .readOnly)
            let bytes = (try? file?.record("sign-in")) ?? nil
            feed.yield("\(isKept) \(bytes.map { String(decoding: $0.reveal(), as: UTF8.self) } ?? "nothing")")
        }
        try vault.start()
        var iterator = answers.makeAsyncIterator()
        #expect(await iterator.next() == "true device-token-1")
        vault.perform(.forgetSignIn)
        vault.keep(Self.record("device-token-2"), as: "sign-in") { _ in }
        vault.perform(.forgetSignIn)
        vault.change(.keepForSignIn(account("backend"))) { feed.yield("\($0)") }
        _ = await iterator.next()
        vault.close()
        let file = try VaultFile.open(scratch.vault, key: key)
        let (record, mark) = (try Self.kept(file), try file.accountOfSignIn())
        #expect(record == nil && mark != nil)
    }

    @Test func recordThatCannotBeWrittenIsReportedAndNotRetried() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { _ in }
        let (answers, feed) = AsyncStream.makeStream(of: Bool.self)
        let large = Redacted([UInt8](repeating: 7, count: VaultFile.recordBytesMaximum + 1))
        vault.keep(large, as: "sign-in") { feed.yield($0) }
        vault.keep(Self.record("small"), as: "sign-in") { feed.yield($0) }
        try vault.start()
        var iterator = answers.makeAsyncIterator()
        #expect(await iterator.next() == false)
        #expect(await iterator.next() == true, "the others are kept")
        vault.close()
    }
}
