import PhoneCore
import Testing
import Vault

@Suite struct ContactTests {
    static let ann = Contact(name: "Ann Ünlü", number: "+49 30 123", ring: "short", isBlocked: false)
    static let bob = Contact(
        name: "Bob'; DROP TABLE contact", number: "sip:bob@example.org", ring: nil, isBlocked: true)

    @Test func contactsComeBackAsTheyWere() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.addContact(Self.ann)
            try file.addContact(Self.bob)
        }
        let file = try VaultFile.open(scratch.vault, key: key)
        let (kept, memory) = (try file.contacts(), file.memory { Issue.record("\($0)") })
        #expect(kept == [Self.ann, Self.bob])
        #expect(memory.contacts == kept)
    }

    @Test func aNumberStandsForOneContact() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.addContact(Self.ann)
        try file.addContact(Self.bob)
        let married = Contact(name: "Ann Smith", number: Self.ann.number, isBlocked: true)
        try file.addContact(married)
        let kept = try file.contacts()
        #expect(kept == [married, Self.bob])
    }

    @Test func contactsAreRemovedByNumber() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.replaceContacts(with: [Self.ann, Self.bob])
        let removed = try file.removeContact(number: Self.ann.number)
        let again = try file.removeContact(number: Self.ann.number)
        let left = try file.contacts()
        #expect((removed, again) == (true, false))
        #expect(left == [Self.bob])
    }

    @Test func allAreReplacedOrNone() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.addContact(Self.ann)
        let bad = failure { () throws(VaultError) in
            try file.replaceContacts(with: [Self.bob, Contact(name: "", number: "1")])
        }
        let before = try file.contacts()
        #expect(bad != nil)
        #expect(before == [Self.ann])
        let later = Contact(name: "Robert", number: Self.bob.number)
        try file.replaceContacts(with: [Self.bob, later])
        let after = try file.contacts()
        #expect(after == [later], "the last one of a number stays")
    }

    @Test(arguments: [
        ("name", Contact(name: "", number: "1")), ("number", Contact(name: "x", number: "")),
        ("name", Contact(name: "a\nb", number: "1")), ("ring", Contact(name: "x", number: "1", ring: "\u{7F}")),
        ("number", Contact(name: "x", number: String(repeating: "1", count: 257))),
    ])
    func badContactsAreRefusedByField(field: String, contact: Contact) throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let error = failure { () throws(VaultError) in try file.addContact(contact) }
        guard case .invalidValue(field, _) = error else {
            Issue.record("expected a complaint about \(field), got \(String(describing: error))")
            return
        }
    }

    @Test func theNumberOfContactsIsLimited() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let limit = VaultFile.contactsMaximum
        let most = (1...limit).map { Contact(name: "n", number: "\($0)") }
        let many = failure { () throws(VaultError) in
            try file.replaceContacts(with: most + [Contact(name: "n", number: "0")])
        }
        try file.replaceContacts(with: most)
        let more = failure { () throws(VaultError) in try file.addContact(Contact(name: "n", number: "0")) }
        try file.addContact(Contact(name: "another name", number: "1"))
        let count = try file.contacts().count
        #expect(many == .limitReached(what: "contacts", limit: limit))
        #expect(more == .limitReached(what: "contacts", limit: limit))
        #expect(count == limit)
    }

    @Test func severalAreAddedTogetherOrNotAtAll() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let (anna, bob) = (Contact(name: "Anna", number: "200"), Contact(name: "Bob", number: "300"))
        try file.addContacts([anna, bob, Contact(name: "Anne", number: "200")])
        #expect(throws: VaultError.self) {
            try file.addContacts([Contact(name: "Carl", number: "400"), Contact(name: "", number: "500")])
        }
        let many = (0..<VaultFile.contactsMaximum).map { Contact(name: "n", number: "9\($0)") }
        #expect(throws: VaultError.limitReached(what: "contacts", limit: VaultFile.contactsMaximum)) {
            try file.addContacts(many)
        }
        let kept = try file.contacts()
        #expect(kept == [Contact(name: "Anne", number: "200"), bob])
    }
}
