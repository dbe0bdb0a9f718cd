import Base
import PhoneCore
import Synchronization
import Testing
import Vault

/// Searches every file beside a vault for clear text that must never be there.
@Suite struct ClearBytesTests {
    static let secrets = [
        "xyzzy-password", "+49301234567", "Mallory Longname", "plugh-password", "+4930987654", "Friend Longname",
        "SQLite format 3", "CREATE TABLE",
    ]

    /// Shared by the writer and the search.
    final class Watch: Sendable {
        let looks = Atomic(0)
        let isOver = Atomic(false)
    }

    @Test func nothingIsOnDiskInClear() async throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        var file = try VaultFile.create(at: scratch.vault, key: key)
        _ = try file.addAccount(account("one", password: Self.secrets[0]))
        let watch = Watch()
        let search = Task {
            var found: Set<String> = []
            while !watch.isOver.load(ordering: .relaxed) {
                found.formUnion(Self.leaks(in: scratch))
                watch.looks.add(1, ordering: .relaxed)
            }
            return found
        }
        var call = entry(Self.secrets[1])
        call.name = Self.secrets[2]
        while watch.looks.load(ordering: .relaxed) < 100 {
            try file.apply([.addHistory(call), .keepContext(context("acme", password: Self.secrets[3]), ticket: 1)])
            try file.addContacts([Contact(name: Self.secrets[5], number: Self.secrets[4])])
            await Task.yield()
        }
        watch.isOver.store(true, ordering: .relaxed)
        let found = await search.value
        #expect(found.isEmpty)
        #expect(Self.leaks(in: scratch).isEmpty)
        #expect(Set(scratch.names) == ["key", "vault", "vault.lock"])
    }

    /// The search itself must be able to find.
    @Test func searchFindsPlantedText() throws {
        let scratch = try Scratch()
        scratch.write("plain", Array("....\(Self.secrets[2])....\(Self.secrets[0])".utf8))
        #expect(Self.leaks(in: scratch) == [Self.secrets[0], Self.secrets[2]])
    }

    static func leaks(in scratch: Scratch) -> Set<String> {
        var found: Set<String> = []
        for bytes in scratch.names.map(scratch.read) {
            for secret in secrets where contains(bytes, Array(secret.utf8)) { found.insert(secret) }
        }
        return found
    }

    private static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: word[0]) {
            if rest[start...].starts(with: word) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }
}
