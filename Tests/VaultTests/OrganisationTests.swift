import Base
import Glibc
import PhoneCore
import Testing
import Vault

/// The organisation's context: completely on the disk before it is confirmed, or refused at once and for good.
@Suite struct OrganisationTests {
    @Test func contextIsOnDiskBeforeAnswer() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let (events, feed) = AsyncStream.makeStream(of: (VaultEvent, OrganisationContext?).self)
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { event in
            // Read on the vault's own thread, so before its next action.
            let file = try? VaultFile.open(scratch.vault, key: key, access: .readOnly)
            feed.yield((event, (try? file?.context()) ?? nil))
        }
        try vault.start()
        vault.perform(.keepContext(context("acme"), ticket: 7))
        var iterator = events.makeAsyncIterator()
        let remembered = await iterator.next()
        #expect(remembered?.0 == .remembered(PhoneMemory()))
        let answer = await iterator.next()
        #expect(answer?.0 == .contextKept(ticket: 7, true))
        #expect(answer?.1 == context("acme"))
        vault.close()
    }

    @Test func refusedContextIsRefusedForGood() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let away = scratch.folder + "-away"
        let (events, feed) = AsyncStream.makeStream(of: VaultEvent.self)
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { feed.yield($0) }
        vault.perform(.keepContext(context("before"), ticket: 1))
        try vault.start()
        var iterator = events.makeAsyncIterator()
        while let event = await iterator.next(), event != .contextKept(ticket: 1, true) {}
        #expect(unsafe rename(scratch.folder, away) == 0)
        vault.perform(.addHistory(entry("1")))
        vault.perform(.keepContext(context("after"), ticket: 2))
        var said: [VaultEvent] = []
        while let event = await iterator.next() {
            said.append(event)
            if case .contextKept = event { break }
        }
        #expect(said.last == .contextKept(ticket: 2, false))
        #expect(unsafe rename(away, scratch.folder) == 0)
        vault.perform(.addHistory(entry("2")))
        vault.close()
        let file = try VaultFile.open(scratch.vault, key: key)
        let (numbers, kept) = (try file.history().map(\.number), try file.context())
        #expect(numbers == ["2", "1"], "the call was kept later")
        #expect(kept == context("before"), "the context was not")
    }

    static let bad = [
        context(""), context("a\u{0}b"), context("acme", password: String(repeating: "x", count: 257)),
        OrganisationContext(
            account: .direct, organisation: Organisation(id: OrganisationID("x"), name: "x"),
            credentials: AccountCredentials(user: "", password: Redacted("x"))),
    ]

    @Test(arguments: bad)
    func invalidContextIsRefusedAlone(bad: OrganisationContext) throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let log = VaultTests.Log()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { log.add($0) }
        vault.perform(.addHistory(entry("1")))
        vault.perform(.keepContext(bad, ticket: 1))
        vault.perform(.keepContext(context("acme"), ticket: 2))
        vault.perform(.addHistory(entry("2")))
        try vault.start()
        vault.close()
        let answers = log.events.filter { if case .contextKept = $0 { true } else { false } }
        #expect(answers == [.contextKept(ticket: 1, false), .contextKept(ticket: 2, true)])
        #expect(log.events.count { if case .failed = $0 { true } else { false } } == 1)
        let file = try VaultFile.open(scratch.vault, key: key)
        let (numbers, kept) = (try file.history().map(\.number), try file.context())
        #expect(numbers == ["2", "1"])
        #expect(kept == context("acme"))
    }
}
