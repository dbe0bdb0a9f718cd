import PhoneCore

/// The contacts. A number is kept as the person wrote it, and belongs to only one contact.
extension VaultFile {
    /// All contacts, in the order in which they were added.
    public func contacts() throws(VaultError) -> [Contact] {
        try ask { (database) throws(SQLiteError) in try database.contacts() }
    }

    /// Adds these contacts, or changes those with known numbers; all or none.
    public mutating func enter(_ entries: [ContactEntry]) throws(VaultError) {
        var known = KnownContacts(try contacts())
        try addContacts(
            entries.map { entry in
                let former = known[entry.number]
                var entry = entry
                entry.number = former?.number ?? entry.number
                let contact = entry.contact(over: former)
                known.note(contact)
                return contact
            })
    }

    /// - Returns: False if no contact has this number.
    public mutating func changeContact(number: String, to entry: ContactEntry) throws(VaultError) -> Bool {
        let all = try contacts()
        guard let former = KnownContacts(all)[number] else { return false }
        var entry = entry
        if entry.number == number { entry.number = former.number }
        let contact = entry.contact(over: former)
        try contact.validate()
        guard contact.number == former.number || !all.contains(where: { $0.number == contact.number }) else {
            throw .invalidValue(field: "number", expected: "one that no other contact has")
        }
        try change { (database) throws(SQLiteError) in try database.change(former.number, to: contact) }
        return true
    }

    /// Adds all of these contacts or none, as one change. Each replaces a contact with the same number.
    public mutating func addContacts(_ added: [Contact]) throws(VaultError) {
        for contact in added { try contact.validate() }
        let numbers = Set(added.map(\.number)).union(try contacts().map(\.number))
        guard numbers.count <= VaultFile.contactsMaximum else { throw VaultFile.tooManyContacts }
        try change { (database) throws(SQLiteError) in
            for contact in added { try database.keep(contact) }
        }
    }

    /// - Returns: False if no contact has this number.
    public mutating func removeContact(number: String) throws(VaultError) -> Bool {
        guard let kept = KnownContacts(try contacts())[number]?.number else { return false }
        try change { (database) throws(SQLiteError) in try database.deleteContact(number: kept) }
        return true
    }

    /// Replaces all contacts with these. Of contacts with the same number the last one stays.
    public mutating func replaceContacts(with contacts: [Contact]) throws(VaultError) {
        guard contacts.count <= VaultFile.contactsMaximum else { throw VaultFile.tooManyContacts }
        for contact in contacts { try contact.validate() }
        try change { (database) throws(SQLiteError) in
            try database.deleteContacts()
            for contact in contacts { try database.keep(contact) }
        }
    }

    private static var tooManyContacts: VaultError { .limitReached(what: "contacts", limit: contactsMaximum) }
}

/// The contacts, found by their numbers as written, else as dialled.
private struct KnownContacts {
    private var written: [String: Contact] = [:]
    private var dialled: [String: Contact] = [:]

    init(_ contacts: [Contact]) {
        for contact in contacts { note(contact) }
    }

    subscript(number: String) -> Contact? {
        written[number] ?? DialableNumber.cleaned(number).flatMap { dialled[$0] }
    }

    mutating func note(_ contact: Contact) {
        written[contact.number] = contact
        if let number = DialableNumber.cleaned(contact.number) { dialled[number] = contact }
    }
}

extension Contact {
    fileprivate func validate() throws(VaultError) {
        try TextRule.check(required: ["name": name, "number": number], optional: ["ring": ring])
    }
}

/// The table of contacts, one for each number, in the order in which they were added.
extension Database {
    func keep(_ contact: Contact) throws(SQLiteError) {
        try run(
            """
            INSERT INTO contact (name, number, ring, blocked) VALUES (?, ?, ?, ?) ON CONFLICT (number)
            DO UPDATE SET name = excluded.name, ring = excluded.ring, blocked = excluded.blocked
            """,
            [
                .text(contact.name), .text(contact.number), SQLValue(contact.ring), SQLValue(contact.isBlocked),
            ])
    }

    /// Changes a contact, which stays at its position.
    func change(_ number: String, to contact: Contact) throws(SQLiteError) {
        try run(
            "UPDATE contact SET name = ?, number = ?, ring = ?, blocked = ? WHERE number = ?",
            [
                .text(contact.name), .text(contact.number), SQLValue(contact.ring), SQLValue(contact.isBlocked),
                .text(number),
            ])
    }

    func contacts() throws(SQLiteError) -> [Contact] {
        try rows("SELECT name, number, ring, blocked FROM contact ORDER BY id") { (row) throws(SQLiteError) in
            Contact(
                name: try row.text(0), number: try row.text(1), ring: try row.optionalText(2),
                isBlocked: try row.flag(3))
        }
    }

    func deleteContact(number: String) throws(SQLiteError) {
        try run("DELETE FROM contact WHERE number = ?", [.text(number)])
    }

    func deleteContacts() throws(SQLiteError) { try run("DELETE FROM contact") }
}
