import PhoneCore
import Testing
import Vault

/// Queries of programs to the vault.
@Suite struct QuestionTests {
    /// A vault with calls whose ids are 1, 2, 3 and so on.
    private static func file(_ calls: [HistoryEntry], _ scratch: Scratch) throws -> VaultFile {
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.apply(calls.map { .addHistory($0) })
        return file
    }

    private static let calls: [HistoryEntry] = {
        var anna = entry("+4930123", missed: .timeout)
        (anna.direction, anna.name, anna.account) = (.incoming, "Anna", AccountID(1))
        var bob = entry("200")
        (bob.direction, bob.name, bob.account) = (.outgoing, "Bob 30%", AccountID(2))
        var late = entry("300", missed: .declined)
        (late.direction, late.name, late.account) = (.incoming, nil, AccountID(2))
        return [anna, bob, late]
    }()

    private static func question(_ change: (inout HistoryQuestion) -> Void) -> HistoryQuestion {
        var question = HistoryQuestion()
        change(&question)
        return question
    }

    @Test(
        arguments: [
            (question { _ in }, [3, 2, 1]),
            (question { $0.before = 3 }, [2, 1]),
            (question { $0.direction = .outgoing }, [2]),
            (question { $0.missed = true }, [3, 1]),
            (question { $0.missed = false }, [2]),
            (question { $0.account = AccountID(2) }, [3, 2]),
            (question { $0.text = "anna" }, [1]),
            (question { $0.text = "30" }, [3, 2, 1]),
            (question { $0.text = "30%" }, [2]),
            (question { $0.text = "' OR 1" }, []),
            (question { ($0.missed, $0.account, $0.text) = (true, AccountID(2), "00") }, [3]),
        ] as [(HistoryQuestion, [Int64])])
    func queryFindsOnlyMatches(question: HistoryQuestion, ids: [Int64]) throws {
        let scratch = try Scratch()
        let file = try Self.file(Self.calls, scratch)
        let found = try file.history(question)
        #expect(found.calls.map(\.id) == ids && !found.more)
    }

    @Test func pagesFollowToTheEnd() throws {
        let scratch = try Scratch()
        let count = HistoryQuestion.page * 2 + 1
        let file = try Self.file((1...count).map { entry("\($0)") }, scratch)
        var (ids, pages, more) = ([Int64](), 0, true)
        while more {
            let page = try file.history(Self.question { $0.before = ids.last })
            (ids, pages, more) = (ids + page.calls.map(\.id), pages + 1, page.more)
        }
        #expect(ids == (1...Int64(count)).reversed() && pages == 3)
    }

    @Test func changedContactsReachPhone() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        let (log, answers) = (VaultTests.Log(), Answers())
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: key)) { log.add($0) }
        let anna = Contact(name: "Anna", number: "200")
        for question in [
            VaultQuestion.addContacts([ContactEntry(name: "Anna", number: "200")]), .removeContact(number: "7"),
            .contacts(after: 0),
            .addContacts([ContactEntry(name: "", number: "1")]), .contacts(after: 1),
        ] {
            vault.ask(question) { answers.add($0) }
        }
        try vault.start()
        vault.close()
        #expect(answers.all.count == 5)
        #expect(Array(answers.all.prefix(3)) == [.done, .notFound, .contacts([anna], more: false)])
        guard case .refused(let why) = answers.all[3] else {
            Issue.record("a contact without a name was kept: \(answers.all[3])")
            return
        }
        #expect(why.contains("name") && answers.all[4] == .contacts([], more: false))
        #expect(log.events.filter { $0 == .contacts([anna]) }.count == 1, "\(log.events)")
    }

    @Test func fullVaultIsReported() throws {
        let scratch = try Scratch()
        let answers = Answers()
        let vault = Vault(try VaultFile.create(at: scratch.vault, key: scratch.key())) { _ in }
        vault.close()
        vault.ask(.contacts(after: 0)) { answers.add($0) }
        #expect(answers.all == [.refused("the vault is busy; ask again")])
    }
}
