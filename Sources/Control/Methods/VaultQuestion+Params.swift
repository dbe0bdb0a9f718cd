import Base
import JSON
import PhoneCore

extension VaultQuestion {
    static let longestText = 256
    /// The longest piece of vCards, in bytes. With its JSON it fits into a line.
    static let longestImport = 61_440

    static func history(_ params: RPCParams) throws(RPCError) -> VaultQuestion {
        var question = HistoryQuestion()
        question.before = try params.optionalInteger("before", in: 0...Int64.max)
        if params.has("direction") { question.direction = try params.choice("direction") }
        if params.has("missed") { question.missed = try params.flag("missed") }
        question.account = try params.account()
        question.text = try params.optionalText("text", limit: longestText)
        return .history(question)
    }

    /// An old number that could not be dialled stays valid until it is changed itself.
    static func changeContact(_ params: RPCParams) throws(RPCError) -> VaultQuestion {
        let entry =
            try params.has("newNumber") ? entry(params, number: "newNumber") : details(params, number: "number")
        return .changeContact(number: try params.text("number", limit: longestText), to: entry)
    }

    static func importContacts(_ params: RPCParams) throws(RPCError) -> VaultQuestion {
        let entries = VCard.entries(in: try params.text("vcard", limit: longestImport)).compactMap(\.dialable)
        guard !entries.isEmpty else {
            throw .invalidParams("vcard contains no card with a number that can be dialled")
        }
        return .addContacts(entries)
    }

    /// A contact with a valid number, stored as it is dialled.
    static func entry(_ params: RPCParams, number: String) throws(RPCError) -> ContactEntry {
        let said = try details(params, number: number)
        guard let entry = said.dialable else {
            throw .invalidParams(
                "\(number): \"\(said.number.shown(bytes: 64))\" cannot be dialled; "
                    + "expected a number, or an address such "
                    + "as sip:anna@example.org")
        }
        return entry
    }

    private static func details(_ params: RPCParams, number: String) throws(RPCError) -> ContactEntry {
        ContactEntry(
            name: params.has("name") ? try params.shownText("name", limit: longestText) : nil,
            number: try params.shownText(number, limit: longestText),
            ring: try params.optionalText("ring", limit: longestText),
            isBlocked: params.has("blocked") ? try params.flag("blocked") : nil)
    }
}

extension ContactEntry {
    /// The entry with its number as it is dialled. Nil if the number cannot be dialled.
    public var dialable: ContactEntry? {
        DialableNumber.cleaned(number).map {
            ContactEntry(name: name, number: $0, ring: ring, isBlocked: isBlocked)
        }
    }
}

extension VaultAnswer {
    func result(labels: [AccountID: String]) -> Result<JSONValue, RPCError> {
        switch self {
        case .history(let calls, let more):
            .success(["calls": .array(calls.map { $0.json(labels) }), "more": .bool(more)])
        case .contacts(let contacts, let more):
            .success(["contacts": .array(contacts.map(\.json)), "more": .bool(more)])
        case .contactsToExport(let contacts, let more):
            .success([
                "vcard": .string(VCard.text(of: contacts)), "count": .integer(Int64(contacts.count)),
                "more": .bool(more),
            ])
        case .tokens(_, let added?): .success(["token": .string(added.reveal())])
        case .tokens(let tokens, nil): .success(["tokens": .array(tokens.map(\.json))])
        case .done: .success([:])
        case .notFound: .failure(.noSuchContact)
        case .noSuchToken: .failure(.noSuchToken)
        case .refused(let why): .failure(.notKept(why))
        }
    }
}

extension Contact {
    public var json: JSONValue {
        ["name": .string(name), "number": .string(number), "ring": .text(ring), "blocked": .bool(isBlocked)]
    }
}

extension ControlToken {
    fileprivate var json: JSONValue {
        [
            "label": .string(label), "scope": .string(scope.rawValue),
            "created": .integer(created.unixMilliseconds),
        ]
    }
}

extension HistoryRecord {
    /// Times are in milliseconds since 1970, in UTC.
    fileprivate func json(_ labels: [AccountID: String]) -> JSONValue {
        .object(
            [
                "id": .integer(id), "direction": .string(direction.rawValue), "number": .string(number.withoutPassword),
                "name": .text(name), "called": .text(called?.withoutPassword), "organization": .text(organisation),
                "account": .integer(account.rawValue),
                "label": .text(labels[account]), "started": .integer(started.unixMilliseconds),
                "answered": answered.map { .integer($0.unixMilliseconds) } ?? .null,
                "ended": .integer(ended.unixMilliseconds), "missed": .text(missed?.code), "seen": .bool(seen),
                "quality": quality?.json ?? .null, "protection": .text(protection?.rawValue),
            ].merging(reason.members) { own, _ in own })
    }
}
