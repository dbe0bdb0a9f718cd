import PhoneCore

/// Formats contacts as lines for a person.
public enum ContactText {
    public static func lines(_ contacts: [Contact]) -> [String] {
        TerminalText.table(
            contacts.map { contact in
                let more = [contact.ring.map { "rings \($0)" }, contact.isBlocked ? "blocked" : nil]
                return [contact.number, contact.name, more.compactMap { $0 }.joined(separator: ", ")]
                    .map(TerminalText.clean)
            })
    }
}
