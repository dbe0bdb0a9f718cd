import PhoneCore

/// Work for the vault's thread.
enum VaultWork: Sendable {
    /// A change, which is retried while the disk rejects it.
    case keep(VaultChange)
    /// A program's question, which is answered once.
    case ask(VaultQuestion, answer: @Sendable (VaultAnswer) -> Void)
    /// A change of an account, which is tried once.
    case accounts(StoredAccountChange, answer: @Sendable (Result<[StoredAccount], VaultError>) -> Void)
}

extension VaultFile {
    /// Contacts in one answer.
    static let contactPage = 100

    private func contacts(after known: Int) throws(VaultError) -> (contacts: [Contact], more: Bool) {
        let rest = try contacts().dropFirst(known)
        return (Array(rest.prefix(Self.contactPage)), rest.count > Self.contactPage)
    }

    mutating func answer(_ question: VaultQuestion) -> VaultAnswer {
        do throws(VaultError) {
            switch question {
            case .history(let question):
                let page = try history(question)
                return .history(page.calls, more: page.more)
            case .contacts(let known):
                let page = try contacts(after: known)
                return .contacts(page.contacts, more: page.more)
            case .contactsToExport(let known):
                let page = try contacts(after: known)
                return .contactsToExport(page.contacts, more: page.more)
            case .addContacts(let entries):
                try enter(entries)
                return .done
            case .changeContact(let number, let entry):
                return try changeContact(number: number, to: entry) ? .done : .notFound
            case .removeContact(let number):
                return try removeContact(number: number) ? .done : .notFound
            case .tokens: return .tokens(try tokens(), added: nil)
            case .addToken(let label, let scope):
                let token = try addToken(label: label, scope)
                return .tokens(try tokens(), added: token)
            case .removeToken(let label):
                return try removeToken(label: label) ? .tokens(try tokens(), added: nil) : .noSuchToken
            }
        } catch {
            return .refused(error.description)
        }
    }
}

extension VaultQuestion {
    /// Whether the answer changes the contacts.
    var editsContacts: Bool {
        switch self {
        case .addContacts, .changeContact, .removeContact: true
        case .history, .contacts, .contactsToExport, .tokens, .addToken, .removeToken: false
        }
    }
}
