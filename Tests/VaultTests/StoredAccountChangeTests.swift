import Base
import Foundation
import PhoneCore
import Synchronization
import Testing
import Vault

/// Accounts that change while the phone runs.
@Suite struct StoredAccountChangeTests {
    private static let account = Account(label: "office", user: "101", server: "pbx.example", password: .init("word"))
    private static let home = Account(label: "home", user: "7", server: "home.example")

    /// Carries out these changes with a running vault, and gives the answers.
    private func answers(
        _ scratch: Scratch, _ key: VaultKey, _ changes: [StoredAccountChange]
    ) throws -> [Result<[StoredAccount], VaultError>] {
        let file =
            try FileManager.default.fileExists(atPath: scratch.vault)
            ? VaultFile.open(scratch.vault, key: key) : VaultFile.create(at: scratch.vault, key: key)
        let vault = Vault(file) { _ in }
        let answers = Mutex<[Result<[StoredAccount], VaultError>]>([])
        for change in changes { vault.change(change) { answer in answers.withLock { $0.append(answer) } } }
        try vault.start()
        vault.close()
        return answers.withLock { $0 }
    }

    private func kept(_ scratch: Scratch, _ key: VaultKey) throws -> [StoredAccount] {
        try VaultFile.open(scratch.vault, key: key, access: .readOnly).accounts()
    }

    @Test func addedAccountIsStoredWithUniqueLabel() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let told = try answers(scratch, key, [.add(Self.account), .add(Self.account)])
        let isTaken = VaultError.invalidValue(field: "label", expected: "one that no other account has")
        #expect(told.count == 2 && told.last == .failure(isTaken))
        let kept = try kept(scratch, key)
        #expect(kept.map(\.account) == [Self.account])
        #expect(try told.first?.get() == kept)
    }

    @Test func changedAccountIsTheSameToServerAndHistory() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let first = try #require(try answers(scratch, key, [.add(Self.account), .add(Self.home)]).last?.get())
        let office = try #require(first.first)
        var file = try VaultFile.open(scratch.vault, key: key)
        let trust = LineTrust(realm: "pbx", isOverTLS: true)
        try file.keepTrust(trust, of: office.id)
        let peer = PeerFingerprint(.init(account: office.id, number: "200"), fingerprint: [1, 2, 3])
        try file.apply([.keepKey(peer)])
        _ = consume file
        var other = Self.account
        (other.label, other.password, other.port) = ("desk", .init("new"), 5_080)
        other.ice = Account.ICE(.always, servers: [.init(host: "stun.example", port: 3_478)])
        let told = try answers(scratch, key, [.change(office.id, to: other)])
        other.trust = trust
        let kept = try kept(scratch, key)
        #expect(kept.map(\.account) == [other, Self.home] && kept.map(\.id) == first.map(\.id))
        #expect(kept.map(\.device) == first.map(\.device))
        #expect(try told.first?.get() == kept)
        #expect(try VaultFile.open(scratch.vault, key: key, access: .readOnly).memory { _ in }.peerKeys == [peer])
    }

    /// What another server has shown says nothing about this one.
    @Test func accountAtAnotherServerKeepsNoTrust() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let id = try #require(try answers(scratch, key, [.add(Self.account)]).last?.get().first?.id)
        var file = try VaultFile.open(scratch.vault, key: key)
        try file.keepTrust(LineTrust(isOverTLS: true), of: id)
        try file.apply([.keepKey(PeerFingerprint(.init(account: id, number: "200"), fingerprint: [1, 2, 3]))])
        _ = consume file
        var other = Self.account
        other.server = "other.example"
        _ = try answers(scratch, key, [.change(id, to: other)])
        #expect(try kept(scratch, key).map(\.account) == [other])
        #expect(
            try VaultFile.open(scratch.vault, key: key, access: .readOnly).memory { _ in }.peerKeys?.isEmpty ?? true)
    }

    @Test func impossibleChangeChangesNothing() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let first = try #require(try answers(scratch, key, [.add(Self.account), .add(Self.home)]).last?.get())
        var (taken, nameless) = (Self.account, Self.account)
        (taken.label, nameless.user) = ("home", "")
        let impossible: [StoredAccountChange] = [
            .change(first[0].id, to: taken), .change(first[0].id, to: nameless), .add(nameless),
            .change(AccountID(99), to: Self.home), .remove(AccountID(99)),
        ]
        for answer in try answers(scratch, key, impossible) {
            guard case .failure(.invalidValue) = answer else {
                Issue.record("\(answer)")
                continue
            }
        }
        #expect(try kept(scratch, key) == first)
    }

    @Test func removedAccountComesBackAsTheSame() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let first = try #require(try answers(scratch, key, [.add(Self.account), .add(Self.home)]).last?.get())
        let told = try answers(scratch, key, [.remove(first[0].id), .add(Self.account)])
        #expect(try told.map { try $0.get().map(\.id) } == [[first[1].id], first.map(\.id)])
    }
}
