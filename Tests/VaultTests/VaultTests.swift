import Base
import Glibc
import PhoneCore
import Synchronization
import Testing
import Vault

/// The adapter: its thread, its queue, its reports.
@Suite struct VaultTests {
    /// Collects a vault's reports, from any thread.
    final class Log: Sendable {
        private let said = Mutex<[VaultEvent]>([])
        func add(_ event: VaultEvent) { said.withLock { $0.append(event) } }
        var events: [VaultEvent] { said.withLock { $0 } }
    }

    @Test func queuedChangesAreStoredOnClose() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let log = Log()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { log.add($0) }
        try vault.start()
        for number in 1...20 { vault.perform(.addHistory(entry("\(number)"))) }
        vault.close()
        let numbers = try VaultFile.open(scratch.vault, key: key).history().map(\.number)
        #expect(numbers == (1...20).reversed().map { "\($0)" })
        #expect(log.events == [.remembered(PhoneMemory())])
    }

    @Test func orphanIsReportedOnceAtStart() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        try file.apply([.persist(OrphanTests.call)])
        let log = Log()
        let vault = Vault(file) { log.add($0) }
        var next = OrphanTests.call
        next.call = "out-1"
        vault.perform(.persist(next))
        try vault.start()
        vault.close()
        #expect(log.events == [.orphanFound(OrphanTests.call), .remembered(PhoneMemory())])
        let kept = try VaultFile.open(scratch.vault, key: key).persistedCall()
        #expect(kept?.call == "out-1")
    }

    /// The clock is read once for each question at the start (the orphan, ringing calls, missed calls) and once for each
    /// write.
    @Test func queuedChangesAreWrittenTogether() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let reads = Atomic(0)
        let clock = VaultClock(boot: nil) {
            reads.add(1, ordering: .relaxed)
            return VaultClock.Reading(monotonic: .zero, wall: WallTime(unixMilliseconds: 0))
        }
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key, clock: clock)) { _ in }
        for number in 1...100 { vault.perform(.addHistory(entry("\(number)"))) }
        try vault.start()
        vault.close()
        #expect(reads.load(ordering: .relaxed) == 4)
        let kept = try VaultFile.open(scratch.vault, key: key).history().count
        #expect(kept == 100)
    }

    @Test func fullQueueReportsLoss() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let log = Log()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key), queueCapacity: 4) { log.add($0) }
        for number in 1...6 { vault.perform(.addHistory(entry("\(number)"))) }
        #expect(log.events.count == 2)
        vault.perform(.keepContext(context("acme"), ticket: 9))
        #expect(log.events.last == .contextKept(ticket: 9, false), "every request gets an answer")
        vault.close()
        let before = log.events.count
        vault.perform(.clearPersisted)
        #expect(log.events.count == before + 1, "a closed vault refuses aloud")
        let numbers = try VaultFile.open(scratch.vault, key: key).history().map(\.number)
        #expect(numbers == ["4", "3", "2", "1"])
    }

    @Test func changeRefusedByDiskIsWrittenWithNextOne() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let away = scratch.folder + "-away"
        let (events, feed) = AsyncStream.makeStream(of: VaultEvent.self)
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { feed.yield($0) }
        try vault.start()
        #expect(unsafe rename(scratch.folder, away) == 0)
        vault.perform(.addHistory(entry("1")))
        var iterator = events.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first == .remembered(PhoneMemory()))
        let event = await iterator.next()
        guard case .failed = event else {
            Issue.record("the disk's refusal was not reported: \(String(describing: event))")
            return
        }
        #expect(unsafe rename(away, scratch.folder) == 0)
        vault.perform(.addHistory(entry("2")))
        vault.close()
        let numbers = try VaultFile.open(scratch.vault, key: key).history().map(\.number)
        #expect(numbers == ["2", "1"])
    }

    @Test func diskThatRejectsWritesIsFaultUntilItAccepts() async throws {
        let scratch = try Scratch()
        let away = scratch.folder + "-away"
        let (faults, feed) = AsyncStream.makeStream(of: String?.self)
        let file = try VaultFile.create(at: scratch.vault, key: try scratch.key())
        let vault = Vault(file, post: { _ in }, fault: { feed.yield($0) })
        try vault.start()
        #expect(unsafe rename(scratch.folder, away) == 0)
        vault.perform(.addHistory(entry("1")))
        var iterator = faults.makeAsyncIterator()
        let fault = await iterator.next()
        #expect(fault??.isEmpty == false, "the reason is reported")
        #expect(unsafe rename(away, scratch.folder) == 0)
        vault.perform(.addHistory(entry("2")))
        // An attempt between the two entries fails for the same reason.
        var end = await iterator.next()
        while end??.isEmpty == false { end = await iterator.next() }
        #expect(end == .some(nil), "the disk accepts writes again")
        vault.close()
    }

    @Test func manyThreadsMayEnqueue() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let log = Log()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { log.add($0) }
        try vault.start()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<25 { vault.perform(.addHistory(entry("\(thread * 100 + number)"))) }
                }
            }
        }
        vault.close()
        let numbers = try VaultFile.open(scratch.vault, key: key).history().reversed().compactMap { Int($0.number) }
        for thread in 0..<8 {
            #expect(numbers.filter { $0 / 100 == thread } == (0..<25).map { thread * 100 + $0 })
        }
        #expect(log.events == [.remembered(PhoneMemory())])
    }

    @Test func closingReleasesVault() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { _ in }
        try vault.start()
        #expect(openingFails(scratch.vault, key) == .locked(path: scratch.vault))
        vault.close()
        vault.close()
        #expect(openingFails(scratch.vault, key) == nil)
    }
}
