import Control
import PhoneCore
import Testing

@Suite struct VCardTests {
    @Test func writtenCardIsReadAgain() {
        let contacts = [
            Contact(name: "Anna; Müller, \\ & Söhne", number: "+49 30 123", ring: "short", isBlocked: true),
            Contact(name: String(repeating: "ü", count: 120), number: "sip:bob@example.org;transport=tcp"),
        ]
        let text = VCard.text(of: contacts)
        #expect(VCard.entries(in: text).map { $0.contact(over: nil) } == contacts)
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 }, "RFC 6350 §3.2")
    }

    @Test func telephoneCardsAreRead() {
        let text = """
            BEGIN:VCARD
            VERSION:2.1
            N:Müller;Anna;;Dr.;
            TEL;CELL:+4917612345
            TEL;WORK;VOICE:030 123
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            FN:Bob
              by\\, the way
            item1.TEL;TYPE="voice,a:b":tel:+44-20;ext=5
            PHOTO;ENCODING=b:aGFsbG8=
            END:VCARD
            """
        #expect(
            VCard.entries(in: text) == [
                ContactEntry(name: "Anna Müller", number: "+4917612345"),
                ContactEntry(name: "Anna Müller", number: "030 123"),
                ContactEntry(name: "Bob by, the way", number: "+44-20"),
            ])
    }

    @Test func hostileCardIsBounded() {
        let long = "BEGIN:VCARD\nFN:" + String(repeating: "x", count: 5_000) + "\u{1B}[2J\nTEL:1\nEND:VCARD\n"
        let names = VCard.entries(in: long).map(\.name)
        #expect(names.map(\.?.utf8.count) == [256])
        let many = "BEGIN:VCARD\nFN:x\n" + (1...3_000).map { "TEL:\($0)\n" }.joined() + "END:VCARD\n"
        #expect(VCard.entries(in: many + many).count == VCard.contactLimit)
        let control = VCard.entries(in: "BEGIN:VCARD\nFN:a\u{1B}b\\nc\nTEL:1\nEND:VCARD")
        #expect(control == [ContactEntry(name: "a b c", number: "1")])
        #expect(VCard.entries(in: "TEL:1\nBEGIN:VCARD\nFN:x\nTEL:2").isEmpty, "no card was closed")
    }

    /// Characters that only some programs treat as a line end add no second number.
    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "\n", "\r", "\r\n"])
    func nameCannotAddLine(_ end: String) {
        let mallory = Contact(name: "x\(end)TEL:666", number: "1")
        let text = VCard.text(of: [mallory])
        #expect(VCard.entries(in: text).map(\.number) == ["1"])
        #expect(text.split(whereSeparator: \.isNewline).count == 5, "for other readers, too")
        let card = "BEGIN:VCARD\r\nFN:x\(end)TEL:666\r\nTEL:1\r\nEND:VCARD\r\n"
        let isLine = ["\n", "\r", "\r\n"].contains(end)
        #expect(VCard.entries(in: card).map(\.number) == (isLine ? ["666", "1"] : ["1"]))
    }

    @Test func nameIsShownUnchanged() {
        let card = "BEGIN:VCARD\nFN:a\u{202E}b\u{2066}c\u{200B}\nTEL:1\u{202E}23\nEND:VCARD\n"
        #expect(VCard.entries(in: card) == [ContactEntry(name: "abc", number: "123")])
    }

    /// A line that is folded before a mark is joined again.
    @Test func combiningMarksSurviveFolding() {
        let name = String(repeating: "e\u{301}", count: 80)
        #expect(VCard.entries(in: VCard.text(of: [Contact(name: name, number: "1")])).first?.name == name)
    }
}
