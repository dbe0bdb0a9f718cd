import PhoneCore
import Testing
import Vault

@Suite struct ContactTests {
    static let ann = Contact(name: "Ann Ünlü", number: "+49 30 123", ring: "short", isBlocked: false)
    static let bob = Contact(
        name: "Bob'; DROP TABLE contact", number: "sip:bob@example.org", ring: nil, isBlocked: true)

    @Test func contactsRoundTrip() throws {
        let scratch = try Scratch()
        let key = try scratch.key()
        do {
            var file = try VaultFile.create(at: scratch.vault, key: key)
            try file.addContacts([Self.ann])
            try file.addContacts([Self.bob])
        }
        let file = try VaultFile.open(scratch.vault, key: key)
        let (kept, memory) = (try file.contacts(), file.memory { Issue.record("\($0)") })
        #expect(kept == [Self.ann, Self.bob])
        #expect(memory.contacts == kept)
    }

    @Test func numberBelongsToOneContact() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.addContacts([Self.ann])
        try file.addContacts([Self.bob])
        let married = Contact(name: "Ann Smith", number: Self.ann.number, isBlocked: true)
        try file.addContacts([married])
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

    /// Older releases stored numbers with their blanks.
    @Test func numberIsFoundInAnyFormat() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.addContacts([Self.ann])
        try file.enter([ContactEntry(name: "Ann", number: "+4930123"), ContactEntry(name: "Cid", number: "+4930124")])
        let kept = try file.contacts().map { [$0.name, $0.number] }
        #expect(kept == [["Ann", "+49 30 123"], ["Cid", "+4930124"]])
        let changed = try file.changeContact(number: "+4930123", to: ContactEntry(name: "Anne", number: "+4930123"))
        let renumbered = try file.changeContact(number: "+4930-123", to: ContactEntry(name: nil, number: "+4930125"))
        let removed = try file.removeContact(number: "+49 30 124")
        let left = try file.contacts().map { [$0.name, $0.number] }
        #expect((changed, renumbered, removed) == (true, true, true))
        #expect(left == [["Anne", "+4930125"]])
    }

    @Test func replacementIsAllOrNothing() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.addContacts([Self.ann])
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
    func invalidContactsAreRefusedByField(field: String, contact: Contact) throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let error = failure { () throws(VaultError) in try file.addContacts([contact]) }
        guard case .invalidValue(field, _) = error else {
            Issue.record("expected a complaint about \(field), got \(String(describing: error))")
            return
        }
    }

    @Test func contactCountIsLimited() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let limit = VaultFile.contactsMaximum
        let most = (1...limit).map { Contact(name: "n", number: "\($0)") }
        let many = failure { () throws(VaultError) in
            try file.replaceContacts(with: most + [Contact(name: "n", number: "0")])
        }
        try file.replaceContacts(with: most)
        let more = failure { () throws(VaultError) in try file.addContacts([Contact(name: "n", number: "0")]) }
        try file.addContacts([Contact(name: "another name", number: "1")])
        let count = try file.contacts().count
        #expect(many == .limitReached(what: "contacts", limit: limit))
        #expect(more == .limitReached(what: "contacts", limit: limit))
        #expect(count == limit)
    }

    @Test func severalContactsAreAddedTogetherOrNotAtAll() throws {
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

    /// Importing an address book again unblocks no contact.
    @Test func missingFieldsStayUnchanged() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        let mallory = Contact(name: "Mallory", number: "666", ring: "short", isBlocked: true)
        try file.addContacts([mallory])
        try file.enter([ContactEntry(name: nil, number: "666"), ContactEntry(name: nil, number: "7")])
        let same = try file.contacts()
        #expect(same == [mallory, Contact(name: "7", number: "7")], "a number is a name, too")
        try file.enter([
            ContactEntry(name: "Mal", number: "666", isBlocked: false),
            ContactEntry(name: nil, number: "666", ring: ""),
        ])
        let changed = try file.contacts()
        #expect(changed.first == Contact(name: "Mal", number: "666"))
    }

    @Test func contactKeepsPlaceWithNewNumber() throws {
        let scratch = try Scratch()
        var file = try VaultFile.create(at: scratch.vault, key: scratch.key())
        try file.addContacts([Self.ann, Self.bob])
        let changed = try file.changeContact(number: Self.ann.number, to: ContactEntry(name: nil, number: "200"))
        var ann = Self.ann
        ann.number = "200"
        let kept = try file.contacts()
        #expect(changed && kept == [ann, Self.bob])
        let absent = try file.changeContact(number: "7", to: ContactEntry(name: "x", number: "8"))
        let taken = failure { () throws(VaultError) in
            _ = try file.changeContact(number: "200", to: ContactEntry(name: nil, number: Self.bob.number))
        }
        #expect(!absent && taken == .invalidValue(field: "number", expected: "one that no other contact has"))
        let left = try file.contacts()
        #expect(left == kept)
    }
}
