import ArgumentParser
import Base
import Control
import JSON
import PhoneCore
import Platform

/// Commands for past calls and for contacts.
extension CtlCommand {
    struct History: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "Show past calls, the newest first.")
        @OptionGroup var phone: AskedPhone
        @Option(help: "Only calls of this direction: incoming or outgoing.") var direction: String?
        @Flag(help: "Only missed calls.") var missed = false
        @Option(help: "Only calls of this account.", completion: RunningPhone.accounts) var account: String?
        @Option(help: "Only calls whose number or name contains this text.") var text: String?
        @Option(help: "Only calls older than the call with this id (see the last line of a list).") var before: Int64?

        func run() throws {
            var params: [String: JSONValue] = [:]
            params["direction"] = direction.map { .string($0) }
            params["account"] = account.map { .string($0) }
            params["text"] = text.map { .string($0) }
            params["before"] = before.map { .integer($0) }
            if missed { params["missed"] = true }
            phone.show(try phone.connect().call("getHistory", params)) { page in
                HistoryText.lines(page) { CalendarTime.text(unixMilliseconds: $0) }
            }
        }
    }

    struct Contacts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "contacts", abstract: "List, add, change, remove, import and export contacts.",
            subcommands: [List.self, Add.self, Change.self, Remove.self, Import.self, Export.self],
            defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all contacts.")
            @OptionGroup var phone: AskedPhone
            func run() throws {
                let contacts = try phone.contacts()
                phone.show(.array(contacts.map(\.json))) { _ in ContactText.lines(contacts) }
            }
        }

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
                abstract: "Add a contact, or change the contact with this number; omitted options stay unchanged.")
            @OptionGroup var phone: AskedPhone
            @OptionGroup var details: ContactDetails
            @Argument(help: "Number as dialled, or a SIP address.") var number: String
            @Argument(help: "Name of the contact.") var name: String
            func run() throws {
                if DialableNumber.cleaned(number) == nil, DialableNumber.cleaned(name) != nil {
                    throw CommandError(
                        "\"\(number.withoutCommands)\" is no number; give the number first, then the name")
                }
                try phone.ask("addContact", details.params(and: ["name": .string(name), "number": .string(number)]))
            }
        }

        struct Change: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "change", abstract: "Change a contact; omitted options stay unchanged.")
            @OptionGroup var phone: AskedPhone
            @OptionGroup var details: ContactDetails
            @Argument(help: "Number of the contact, as added.", completion: RunningPhone.numbers) var number: String
            @Option(help: "New number.") var newNumber: String?
            @Option(help: "New name.") var name: String?
            func run() throws {
                var params: [String: JSONValue] = ["number": .string(number)]
                params["newNumber"] = newNumber.map { .string($0) }
                params["name"] = name.map { .string($0) }
                try phone.ask("changeContact", details.params(and: params))
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove", abstract: "Remove the contact with this number.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "Number of the contact, as added.", completion: RunningPhone.numbers) var number: String
            func run() throws { try phone.ask("removeContact", ["number": .string(number)]) }
        }

        struct Import: ParsableCommand {
            private static let longestFile = 4 << 20

            static let configuration = CommandConfiguration(
                commandName: "import",
                abstract: "Add the contacts of a vCard file; contacts with a known number are changed.")
            @OptionGroup var phone: AskedPhone
            @Argument(help: "File to read; - is standard input.") var file: String
            func run() throws {
                let bytes = try InputFile.read(file, limit: Self.longestFile)
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

        struct Export: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "export", abstract: "Print all contacts as vCards.")
            @OptionGroup var phone: AskedPhone
            func run() throws {
                let text = VCard.text(of: try phone.contacts())
                print(phone.json ? JSONValue.object(["vcard": .string(text)]).text + "\n" : text, terminator: "")
            }
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

/// The details of a contact besides name and number.
struct ContactDetails: ParsableArguments {
    @Option(help: "Ring tone of the contact's calls: a name from calls.rings; empty: the default.") var ring: String?
    @Flag(inversion: .prefixedNo, help: "Block calls from the contact.") var blocked: Bool?

    func params(and more: [String: JSONValue]) -> [String: JSONValue] {
        var params = more
        params["ring"] = ring.map { .string($0) }
        params["blocked"] = blocked.map { .bool($0) }
        return params
    }
}
