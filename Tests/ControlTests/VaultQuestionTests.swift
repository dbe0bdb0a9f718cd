import Control
import JSON
import PhoneCore
import Testing

/// Past calls and contacts, which the vault answers behind the control interface.
@Suite struct VaultQuestionTests {
    private static let call = HistoryRecord(
        id: 17, direction: .incoming, number: "+4930123", name: "Anna", called: "+4930199", organisation: "Acme",
        account: AccountID(3), started: WallTime(unixMilliseconds: 1_000), answered: nil,
        ended: WallTime(unixMilliseconds: 31_000),
        reason: .noAnswer, missed: .timeout, seen: false, quality: nil)

    @Test func pastCallsComeFromVault() throws {
        try TestPhone.run(vaultAnswer: .history([Self.call], more: true)) { phone in
            let page = try phone.client().call(
                "getHistory",
                ["before": 18, "direction": "incoming", "missed": true, "account": "Büro", "text": "Ann"])
            var question = HistoryQuestion()
            (question.before, question.direction, question.missed) = (18, .incoming, true)
            (question.account, question.text) = (AccountID(3), "Ann")
            #expect(phone.askedOfVault.take() == .history(question))
            let call = try #require(page["calls"]?.array?.first)
            #expect(page["more"] == true && call["id"] == 17 && call["number"] == "+4930123")
            #expect(call["called"] == "+4930199" && call["organization"] == "Acme")
            #expect(call["label"] == "Büro" && call["missed"] == "timeout" && call["reason"] == "noAnswer")
            #expect(call["started"] == 1_000 && call["answered"] == .null && call["ended"] == 31_000)
        }
    }

    @Test func filterMustBeNamed() throws {
        try TestPhone.run(vaultAnswer: .history([], more: false)) { phone in
            let page = try phone.client().call("getHistory")
            #expect(phone.askedOfVault.take() == .history(HistoryQuestion()))
            #expect(page == ["calls": [], "more": false])
        }
    }

    @Test func contactsAreAddedAndRemoved() throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            _ = try client.call("addContact", ["name": "Anna", "number": "200", "ring": "short", "blocked": true])
            let anna = ContactEntry(name: "Anna", number: "200", ring: "short", isBlocked: true)
            #expect(phone.askedOfVault.take() == .addContacts([anna]))
            _ = try client.call("addContact", ["name": "Anna", "number": "200"])
            #expect(
                phone.askedOfVault.take() == .addContacts([ContactEntry(name: "Anna", number: "200")]),
                "a form without the field unblocks no contact")
            _ = try client.call("addContact", ["number": "200"])
            #expect(phone.askedOfVault.take() == .addContacts([ContactEntry(name: nil, number: "200")]))
            _ = try client.call("addContact", ["name": "a\u{202E}b\n\u{2028}", "number": "\u{2066}200"])
            #expect(phone.askedOfVault.take() == .addContacts([ContactEntry(name: "ab", number: "200")]))
            #expect {
                try client.call("addContact", ["name": "\u{202E}", "number": "200"])
            } throws: {
                RefusalTests.code(of: $0) == "invalidParams"
            }
            _ = try client.call("changeContact", ["number": "200", "newNumber": "300", "blocked": false])
            let changed = ContactEntry(name: nil, number: "300", isBlocked: false)
            #expect(phone.askedOfVault.take() == .changeContact(number: "200", to: changed))
            _ = try client.call("changeContact", ["number": "200", "name": "Anne", "ring": ""])
            let renamed = ContactEntry(name: "Anne", number: "200", ring: "")
            #expect(phone.askedOfVault.take() == .changeContact(number: "200", to: renamed))
            _ = try client.call("removeContact", ["number": "200"])
            #expect(phone.askedOfVault.take() == .removeContact(number: "200"))
        }
    }

    @Test(
        arguments: [
            ("+49 30 1234", "+49301234"), ("(030) 12-34/56", "030123456"), ("*8", "*8"), ("112", "112"),
            ("sip:anna@example.org", "sip:anna@example.org"), ("+49\u{A0}30 12", "+493012"),
        ])
    func contactNumberIsNormalized(written: String, kept: String) throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            _ = try client.call("addContact", ["name": "Anna", "number": .string(written)])
            #expect(phone.askedOfVault.take() == .addContacts([ContactEntry(name: "Anna", number: kept)]))
            _ = try client.call("changeContact", ["number": "200", "newNumber": .string(written)])
            #expect(
                phone.askedOfVault.take() == .changeContact(number: "200", to: ContactEntry(name: nil, number: kept)))
        }
    }

    @Test(
        arguments: ["Anna Müller", "not a number", "anna", "12x", "sip:", "sip:a b@c", "--", "+ ", "anna@example.org"])
    func undialableNumberIsRefused(number: String) throws {
        try TestPhone.run { phone in
            let client = try phone.client()
            for (method, params) in [
                ("addContact", ["name": "Anna", "number": .string(number)]),
                ("changeContact", ["number": "200", "newNumber": .string(number)]),
                ("importContacts", ["vcard": .string("BEGIN:VCARD\nFN:Anna\nTEL:\(number)\nEND:VCARD\n")]),
            ] as [(String, [String: JSONValue])] {
                #expect {
                    try client.call(method, params)
                } throws: {
                    if case ControlClientError.refused("invalidParams", let why, _) = $0 {
                        why.contains("dialled")
                    } else {
                        false
                    }
                }
            }
        }
    }

    /// A contact of an older release can be renamed, whatever its number is.
    @Test func contactWithOldNumberCanBeChanged() throws {
        try TestPhone.run { phone in
            _ = try phone.client().call("changeContact", ["number": "Anna", "name": "Anne"])
            let renamed = ContactEntry(name: "Anne", number: "Anna")
            #expect(phone.askedOfVault.take() == .changeContact(number: "Anna", to: renamed))
        }
    }

    @Test func contactsArePaged() throws {
        let anna = Contact(name: "Anna", number: "200")
        try TestPhone.run(vaultAnswer: .contacts([anna], more: true)) { phone in
            let page = try phone.client().call("getContacts", ["after": 100])
            #expect(phone.askedOfVault.take() == .contacts(after: 100))
            #expect(page["more"] == true)
            #expect(page["contacts"] == [["name": "Anna", "number": "200", "ring": nil, "blocked": false]])
        }
    }

    @Test(arguments: [
        (VaultAnswer.notFound, "noSuchContact"), (.refused("the disk is full"), "notKept"),
    ])
    func vaultFailureIsExplained(answer: VaultAnswer, code: String) throws {
        try TestPhone.run(vaultAnswer: answer) { phone in
            let client = try phone.client()
            #expect { try client.call("removeContact", ["number": "200"]) } throws: {
                RefusalTests.code(of: $0) == code
            }
        }
    }

    @Test func missingVaultIsReported() throws {
        try TestPhone.run(vaultAnswer: nil) { phone in
            let client = try phone.client()
            for method in ["getHistory", "getContacts"] {
                #expect { try client.call(method) } throws: { RefusalTests.code(of: $0) == "notSupported" }
            }
        }
    }

    @Test func contactsAreExportedAndImportedAsCards() throws {
        let anna = Contact(name: "Anna", number: "200", isBlocked: true)
        let text = VCard.text(of: [anna])
        try TestPhone.run(vaultAnswer: .contactsToExport([anna], more: true)) { phone in
            let page = try phone.client().call("exportContacts", ["after": 3])
            #expect(page == ["vcard": .string(text), "count": 1, "more": true])
            #expect(phone.askedOfVault.take() == .contactsToExport(after: 3))
        }
        try TestPhone.run { phone in
            let client = try phone.client()
            let answer = try client.call("importContacts", ["vcard": .string(text)])
            #expect(answer == [:])
            let entry = ContactEntry(name: "Anna", number: "200", isBlocked: true)
            #expect(phone.askedOfVault.take() == .addContacts([entry]))
            #expect {
                try client.call("importContacts", ["vcard": "BEGIN:VCARD"])
            } throws: {
                RefusalTests.code(of: $0) == "invalidParams"
            }
        }
    }
}
