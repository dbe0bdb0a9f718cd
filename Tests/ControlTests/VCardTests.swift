import Control
import PhoneCore
import Testing

@Suite struct VCardTests {
    @Test func whatIsWrittenIsReadAgain() {
        let contacts = [
            Contact(name: "Anna; Müller, \\ & Söhne", number: "+49 30 123", ring: "short", isBlocked: true),
            Contact(name: String(repeating: "ü", count: 120), number: "sip:bob@example.org;transport=tcp"),
        ]
        let text = VCard.text(of: contacts)
        #expect(VCard.contacts(in: text) == contacts)
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 }, "RFC 6350 §3.2")
    }

    @Test func cardsOfTelephonesAreRead() {
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
            VCard.contacts(in: text) == [
                Contact(name: "Anna Müller", number: "+4917612345"), Contact(name: "Anna Müller", number: "030 123"),
                Contact(name: "Bob by, the way", number: "+44-20"),
            ])
    }

    @Test func whatIsHostileStaysWithinItsLimits() {
        let long = "BEGIN:VCARD\nFN:" + String(repeating: "x", count: 5_000) + "\u{1B}[2J\nTEL:1\nEND:VCARD\n"
        let names = VCard.contacts(in: long).map(\.name)
        #expect(names.map(\.utf8.count) == [256])
        let many = "BEGIN:VCARD\nFN:x\n" + (1...3_000).map { "TEL:\($0)\n" }.joined() + "END:VCARD\n"
        #expect(VCard.contacts(in: many + many).count == VCard.contactLimit)
        let control = VCard.contacts(in: "BEGIN:VCARD\nFN:a\u{1B}b\\nc\nTEL:1\nEND:VCARD")
        #expect(control == [Contact(name: "a b c", number: "1")])
        #expect(VCard.contacts(in: "TEL:1\nBEGIN:VCARD\nFN:x\nTEL:2").isEmpty, "no card was closed")
    }
}
