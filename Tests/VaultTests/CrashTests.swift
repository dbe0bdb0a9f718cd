import Base
import Glibc
import PhoneCore
import Testing
import Vault

/// Effects of other processes, and of their deaths, on a vault.
@Suite(.serialized) struct CrashTests {
    /// Goal: a killed writer loses at most the pending change. Method: kill it at 100 random moments. Every confirmed
    /// change is there, the next change is there whole or not at all, and the next writer continues.
    @Test func killedWriterLosesAtMostPendingChange() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
        var random = SeededGenerator(seed: 2)
        var (last, inFlightKept) = (0, 0)
        for round in 1...100 {
            let writer = try ChildProcess("loop", scratch)
            #expect(writer.line() == "open")
            for _ in 0..<Int.random(in: 0...3, using: &random) { last = writer.line().flatMap(Int.init) ?? -1 }
            // Any moment of a change, which takes a few milliseconds.
            usleep(UInt32.random(in: 0..<8_000, using: &random))
            writer.kill()
            while let line = writer.line() { last = Int(line) ?? -1 }
            #expect(writer.wait() == SIGKILL)
            #expect(ClearBytesTests.leaks(in: scratch).isEmpty, "in what the dead left behind, round \(round)")
            let file = try VaultFile.open(scratch.vault, key: key, access: .readOnly)
            let newest = try file.history(limit: 1).first.flatMap { Int($0.number) } ?? 0
            let persisted = try file.persistedCall().flatMap { Int($0.number) } ?? 0
            #expect(newest == last || newest == last + 1, "round \(round)")
            #expect(persisted == newest, "half a change in round \(round)")
            let context = try file.context()
            let parts = context.map { [$0.organisation.id.rawValue, $0.credentials.password.reveal()] } ?? ["0", "0"]
            #expect(parts == ["\(newest)", "\(newest)"], "half a context in round \(round)")
            inFlightKept += newest - last
            last = newest
        }
        let report = try VaultFile.check(scratch.vault, key: key)
        #expect(report.isSound)
        #expect(last > 0)
        print("vault: 100 kills, \(last) changes kept, \(inFlightKept) of them killed between disk and word")
    }

    @Test func fullDiskKeepsOldVault() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
        let before = scratch.read("vault")
        let writer = try ChildProcess("starve", scratch)
        #expect(writer.line() == "open")
        #expect(writer.line() == VaultError.diskFull(path: scratch.vault + ".new").description)
        #expect(writer.line() == "0", "a change that was not kept is not in memory either")
        #expect(writer.wait() == 0)
        #expect(scratch.read("vault") == before)
        #expect(!scratch.names.contains("vault.new"))
    }

    @Test func onlyOneProcessMayChange() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do { _ = try VaultFile.create(at: scratch.vault, key: key) }
        let holder = try ChildProcess("hold", scratch)
        #expect(holder.line() == "open")
        #expect(openingFails(scratch.vault, key) == .locked(path: scratch.vault))
        #expect(openingFails(scratch.vault, key, .readOnly) == nil, "looking is always possible")
        holder.kill()
        #expect(holder.wait() == SIGKILL)
        #expect(openingFails(scratch.vault, key) == nil, "the dead hold no lock")
    }

    @Test func linksToVaultShareItsLock() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let link = scratch.folder + "/link"
        #expect(unsafe symlink("vault", link) == 0)
        #expect(openingFails(link, key) == .notFound(path: link))
        do {
            let first = try VaultFile.create(at: scratch.vault, key: key)
            #expect(openingFails(link, key) == .locked(path: scratch.vault))
            _ = first.path
        }
        do {
            var file = try VaultFile.open(link, key: key)
            try file.set("x", to: "1")
        }
        let value = try VaultFile.open(scratch.vault, key: key).setting("x")
        #expect(value == "1")
    }

    @Test func existingFileIsNotOverwritten() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        scratch.write("vault", [1, 2, 3])
        let error = failure { () throws(VaultError) in _ = try VaultFile.create(at: scratch.vault, key: key) }
        #expect(error == .alreadyExists(path: scratch.vault))
        #expect(scratch.read("vault") == [1, 2, 3])
    }
}
