import Base
import Commands
import Control
import JSON
import PhoneCore
import Platform

/// Commands for past calls and for contacts.
extension CtlCommand {
    static var history: Command {
        row(
            "history", .getHistory, "Show past calls, the newest first.",
            example: "offhook ctl history --missed --account office",
            [
                .option("direction", "Only calls of this direction: incoming or outgoing."),
                .option("missed", "Only missed calls."),
                .option("account", "Only calls of this account.", RunningPhone.account),
                .option("text", "Only calls whose number or name contains this text."),
                .option("before", "Only calls older than the call with this id (see the last line of a list)."),
            ]
        ) { page in HistoryText.lines(page) { CalendarTime.text(unixMilliseconds: $0) } }
    }

    static var missed: Command {
        .group(
            "missed", "List or clear the missed calls that nobody has seen.", usual: "list",
            [
                Command(
                    "list", "Show the missed calls that nobody has seen; with --json the newest 20.", AskedPhone.input
                ) { phone in
                    let client = try phone.connect()
                    if phone.json { return print(try client.call("getMissedCalls").text) }
                    for line in StatusText.missed(try client.snapshot()) { print(line) }
                },
                row("clear", .clearMissedCalls, "Mark all missed calls as seen, or the one named by --call.", [.call]),
            ])
    }

    static var contacts: Command {
        .group(
            "contacts", "List, add, change, remove, import and export contacts.", usual: "list",
            [
                listContacts, addContact,
                row(
                    "change", .changeContact, "Change a contact; omitted options stay unchanged.",
                    example: "offhook ctl contacts change 102 --new-number 103",
                    details + [
                        .argument("number", "Number of the contact, as added.", RunningPhone.number),
                        .option("newNumber", "New number."), .option("name", "New name."),
                    ]),
                row(
                    "remove", .removeContact, "Remove the contact with this number.",
                    [.argument("number", "Number of the contact, as added.", RunningPhone.number)]),
                importContacts, exportContacts,
            ])
    }

    private static var details: [MethodInput] {
        [
            .option("ring", "Ring tone of the contact's calls: a name from calls.rings; empty: the default."),
            .option("blocked", "Block calls from the contact."),
        ]
    }

    private static var listContacts: Command {
        Command("list", "Show all contacts.", AskedPhone.input) { phone in
            let contacts = try phone.contacts()
            phone.show(.array(contacts.map(\.json))) { _ in ContactText.lines(contacts) }
        }
    }

    private static var addContact: Command {
        Command(
            "add", "Add a contact, or change the contact with this number; omitted options stay unchanged.",
            example: "offhook ctl contacts add 102 Anna", AskedPhone.input, MethodInput.all(details, .addContact),
            Parameter.argument("number", "Number as dialled, or a SIP address."),
            Parameter.argument("name", "Name of the contact.")
        ) { phone, details, number, name in
            if DialableNumber.cleaned(number) == nil, DialableNumber.cleaned(name) != nil {
                throw CommandError("\"\(number.withoutCommands)\" is no number; give the number first, then the name")
            }
            try phone.ask(.addContact, details.merging(["name": .string(name), "number": .string(number)]) { $1 })
        }
    }
}

/// Contacts as files.
extension CtlCommand {
    private static let longestFile = 4 << 20

    private static var importContacts: Command {
        Command(
            "import", "Add the contacts of a vCard file; contacts with a known number are changed.",
            example: "offhook ctl contacts import contacts.vcf", AskedPhone.input,
            Parameter.argument("file", "File to read; - is standard input.", .file())
        ) { phone, file in
            let bytes = try InputFile.read(file, limit: longestFile)
            let all = VCard.entries(in: String(decoding: bytes, as: UTF8.self))
            let entries = all.compactMap(\.dialable)
            guard !entries.isEmpty else {
                throw CommandError("\(file): contains no vCard with a number that can be dialled")
            }
            let client = try phone.connect()
            for entry in entries { _ = try client.call("addContact", entry.params) }
            let left = all.count - entries.count
            phone.show(["count": .integer(Int64(entries.count))]) { _ in
                let why = "\(left) left out: their numbers cannot be dialled"
                return ["\(entries.count) contacts"] + (left > 0 ? [why] : [])
            }
        }
    }

    private static var exportContacts: Command {
        Command(
            "export", "Print all contacts as vCards.", example: "offhook ctl contacts export > contacts.vcf",
            AskedPhone.input
        ) { phone in
            let text = VCard.text(of: try phone.contacts())
            print(phone.json ? JSONValue.object(["vcard": .string(text)]).text + "\n" : text, terminator: "")
        }
    }
}

extension AskedPhone {
    /// Fetches all contacts, page by page.
    fileprivate func contacts() throws -> [Contact] {
        let client = try connect()
        var contacts: [Contact] = []
        while true {
            let page = try client.call("getContacts", ["after": .integer(Int64(contacts.count))])
            let added = (page["contacts"]?.array ?? []).compactMap(Contact.init(json:))
            contacts += added
            guard page["more"] == true, !added.isEmpty else { return contacts }
        }
    }
}

extension Contact {
    fileprivate init?(json: JSONValue) {
        guard let name = json["name"]?.string, let number = json["number"]?.string else { return nil }
        self.init(name: name, number: number, ring: json["ring"]?.string, isBlocked: json["blocked"] == true)
    }
}

extension ContactEntry {
    /// The parameters of `addContact`.
    fileprivate var params: [String: JSONValue] {
        var params: [String: JSONValue] = ["number": .string(number)]
        params["name"] = name.map { .string($0) }
        params["ring"] = ring.map { .string($0) }
        params["blocked"] = isBlocked.map { .bool($0) }
        return params
    }
}
