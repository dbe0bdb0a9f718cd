import Base
import PhoneCore
import Synchronization
import Testing
import Vault

/// An account that is added while the phone runs.
@Suite struct AddingTests {
    private static let account = Account(label: "office", user: "101", server: "pbx.example", password: .init("word"))

    @Test func addedAccountIsStoredWithUniqueLabel() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { _ in }
        let answers = Mutex<[Result<AccountID, VaultError>]>([])
        for account in [Self.account, Self.account] {
            vault.add(account) { answer in answers.withLock { $0.append(answer) } }
        }
        try vault.start()
        vault.close()
        let told = answers.withLock { $0 }
        let isTaken = VaultError.invalidValue(field: "label", expected: "one that no other account has")
        #expect(told.count == 2 && told.last == .failure(isTaken))
        let kept = try VaultFile.open(scratch.vault, key: key, access: .readOnly).accounts()
        #expect(kept.map(\.account) == [Self.account])
        #expect(try told.first?.get() == kept.first?.id)
    }

    @Test func invalidAccountIsRefused() throws {
        let scratch = try Scratch()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: try scratch.key())) { _ in }
        let answer = Mutex<Result<AccountID, VaultError>?>(nil)
        var nameless = Self.account
        nameless.user = ""
        vault.add(nameless) { told in answer.withLock { $0 = told } }
        try vault.start()
        vault.close()
        guard case .failure(.invalidValue)? = answer.withLock({ $0 }) else {
            Issue.record("\(String(describing: answer.withLock { $0 }))")
            return
        }
    }
}
