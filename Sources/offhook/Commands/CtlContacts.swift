import ArgumentParser
import Control
import PhoneCore
import Platform

/// Commands for past calls and for contacts.
extension CtlCommand {
    struct History: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "Show past calls, the newest first.")
        @OptionGroup var phone: RunningPhone
        @Option(help: "Only calls that came in (incoming) or were dialled here (outgoing).") var direction: String?
        @Flag(help: "Only missed calls.") var missed = false
        @Option(help: "Only calls of this account.", completion: RunningPhone.accounts) var account: String?
        @Option(help: "Only calls with this in the number or the name.") var text: String?
        @Option(help: "Only calls older than the one with this number.") var before: Int64?
        @Flag(help: "Print JSON.") var json = false

        func run() throws {
            var params: [String: JSONValue] = [:]
            params["direction"] = direction.map { .string($0) }
            params["account"] = account.map { .string($0) }
            params["text"] = text.map { .string($0) }
            params["before"] = before.map { .integer($0) }
            if missed { params["missed"] = true }
            let page = try phone.connect().call("getHistory", params)
            let lines = HistoryText.lines(page) { CalendarTime.text(unixMilliseconds: $0) }
            print(json ? page.text : lines.joined(separator: "\n"))
        }
    }

    struct Contacts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "contacts", abstract: "The contacts.",
            subcommands: [List.self, Add.self, Remove.self, Import.self, Export.self],
            defaultSubcommand: List.self)

        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(commandName: "list", abstract: "Show all contacts.")
            @OptionGroup var phone: RunningPhone
            @Flag(help: "Print JSON.") var json = false
            func run() throws {
                let contacts = try phone.contacts()
                let lines =
                    json ? [JSONValue.array(contacts.map { .object($0.params) }).text] : ContactText.lines(contacts)
                for line in lines { print(line) }
            }
        }

        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add", abstract: "Add a contact, or change the one with this number.")
            @OptionGroup var phone: RunningPhone
            @Argument(help: "The number as it is dialled, or a SIP address.") var number: String
            @Argument(help: "The name.") var name: String
            @Option(help: "How calls from there ring: a name of sound.ring.rings.") var ring: String?
            @Flag(help: "Refuse calls from there.") var blocked = false
            func run() throws {
                let contact = Contact(name: name, number: number, ring: ring, isBlocked: blocked)
                _ = try phone.connect().call("addContact", contact.params)
            }
        }

        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove", abstract: "Remove the contact with this number.")
            @OptionGroup var phone: RunningPhone
            @Argument(help: "The number as it was added.", completion: RunningPhone.numbers) var number: String
            func run() throws { try phone.ask("removeContact", ["number": .string(number)]) }
        }

        struct Import: ParsableCommand {
            private static let longestFile = 4 << 20

            static let configuration = CommandConfiguration(
                commandName: "import",
                abstract: "Add the contacts of a vCard file; those with a number that is known are changed.")
            @OptionGroup var phone: RunningPhone
            @Argument(help: "The file, or - for standard input.") var file: String
            func run() throws {
                let bytes = try InputFile.read(file, limit: Self.longestFile)
                let contacts = VCard.contacts(in: String(decoding: bytes, as: UTF8.self))
                guard !contacts.isEmpty else { throw CommandError("\(file): no vCard with a number is in it") }
                let client = try phone.connect()
                for contact in contacts { _ = try client.call("addContact", contact.params) }
                print("\(contacts.count) contacts")
            }
        }

        struct Export: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "export", abstract: "Print all contacts as vCards.")
            @OptionGroup var phone: RunningPhone
            func run() throws { print(VCard.text(of: try phone.contacts()), terminator: "") }
        }
    }
}

extension RunningPhone {
    /// All contacts, page by page.
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

    fileprivate var params: [String: JSONValue] {
        var params: [String: JSONValue] = [
            "name": .string(name), "number": .string(number), "blocked": .bool(isBlocked),
        ]
        params["ring"] = ring.map { .string($0) }
        return params
    }
}
