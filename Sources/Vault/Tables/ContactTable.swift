import PhoneCore

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
