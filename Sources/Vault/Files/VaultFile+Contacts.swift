import PhoneCore

/// The contacts. A number is kept as the person wrote it, and belongs to only one contact.
extension VaultFile {
    /// All contacts, in the order in which they were added.
    public func contacts() throws(VaultError) -> [Contact] {
        try ask { (database) throws(SQLiteError) in try database.contacts() }
    }

    /// Adds what somebody says of contacts, or changes those whose numbers are known; all of it or nothing.
    public mutating func enter(_ entries: [ContactEntry]) throws(VaultError) {
        var known = Dictionary(try contacts().map { ($0.number, $0) }) { first, _ in first }
        try addContacts(
            entries.map { entry in
                let contact = entry.contact(over: known[entry.number])
                known[entry.number] = contact
                return contact
            })
    }

    /// - Returns: False if no contact has this number.
    public mutating func changeContact(number: String, to entry: ContactEntry) throws(VaultError) -> Bool {
        let all = try contacts()
        guard let former = all.first(where: { $0.number == number }) else { return false }
        let contact = entry.contact(over: former)
        try contact.validate()
        guard contact.number == number || !all.contains(where: { $0.number == contact.number }) else {
            throw .invalidValue(field: "number", expected: "one that no other contact has")
        }
        try change { (database) throws(SQLiteError) in try database.change(number, to: contact) }
        return true
    }

    /// Adds all of these or none, as one change. Each replaces the one with the same number, if there is one.
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
        guard try contacts().contains(where: { $0.number == number }) else { return false }
        try change { (database) throws(SQLiteError) in try database.deleteContact(number: number) }
        return true
    }

    /// Replaces all contacts by these. Of contacts with the same number the last one stays.
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

extension Contact {
    fileprivate func validate() throws(VaultError) {
        try TextRule.check(required: ["name": name, "number": number], optional: ["ring": ring])
    }
}
