import PhoneCore
import Testing
import Vault

@Suite(.serialized) struct OpeningTimeTests {
    /// The start of the phone waits for this (spec §2: goal 5 ms, budget 20 ms).
    @Test func usualVaultOpensWithinItsBudget() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            for number in 1...10 { _ = try file.addAccount(account("account \(number)")) }
            var call = entry("+49301234567")
            call.name = "A caller with a name"
            call.quality = VoiceQuality(opinionScore: 4.2, jitterMilliseconds: 3, lossPercent: 0.5)
            try file.replaceContacts(with: (1...1_000).map { Contact(name: "Somebody \($0)", number: "030\($0)") })
            try file.apply((1...1_000).map { _ in .addHistory(call) })
        }
        let clock = ContinuousClock()
        var times: [Duration] = []
        var changes: [Duration] = []
        for _ in 1...21 {
            times.append(
                try clock.measure {
                    let file = try VaultFile.open(scratch.vault, key: key)
                    let accounts = try file.accounts()
                    #expect(accounts.count == 10)
                })
            var file = try VaultFile.open(scratch.vault, key: key)
            changes.append(try clock.measure { try file.apply([.addHistory(entry("1"))]) })
        }
        let size = scratch.read("vault").count
        print(
            "vault: 10 accounts, 1,000 calls, 1,000 contacts, \(size) bytes: open and read accounts",
            times.sorted()[10], "median,",
            times.min() ?? .zero, "best; one change on disk", changes.sorted()[10], "median")
        #expect(times.min() ?? .zero < .milliseconds(20))
    }
}
