import Testing
import offhook

/// Links from a foreign page.
@Suite struct DialLinkTests {
    @Test(
        arguments: [
            ("tel:+49-30-1234", "+49301234", nil), ("TEL:+49.30(12)34", "+49301234", nil),
            ("tel:+49%2030%201234", "+49301234", nil), ("tel://+49301234", "+49301234", nil),
            ("tel:+49-30-1234;ext=5-5", "+49301234", "55"), ("tel:+49301234;isub=7;x=y", "+49301234", nil),
            ("tel:1234;phone-context=+49-30", "+49301234", nil), ("tel:112", "112", nil),
            ("sip:anna@pbx.example", "sip:anna@pbx.example", nil),
            ("SIP:anna@pbx.example:5070;transport=tcp", "sip:anna@pbx.example:5070;transport=tcp", nil),
            ("sips:an%20na@pbx.example;user=phone;lr", "sips:an%20na@pbx.example;user=phone", nil),
            ("sip:pbx.example;method=invite", "sip:pbx.example", nil),
            ("sip:anna@[2001:db8::7]:5060", "sip:anna@[2001:db8::7]:5060", nil),
            ("sip:anna@pbx.example?Replaces=1%3Bto-tag%3D2&Subject=hello", "sip:anna@pbx.example", nil),
        ] as [(String, String, String?)])
    func validLinkIsDialled(link: String, target: String, digits: String?) throws {
        let read = try #require(try DialLink(link))
        #expect(read.target == target && read.extensionDigits == digits)
    }

    @Test(arguments: ["100", "+49 30 1234", "", ":", "*21#", "mailto:a@b", "anna@pbx.example", "telephone:1"])
    func otherTextIsNoLink(text: String) throws { #expect(try DialLink(text) == nil) }

    @Test(
        arguments: [
            ("tel:", .noNumber), ("tel:+", .noNumber), ("tel:anna", .noNumber), ("tel:12%0d%0aEvil:%201", .noNumber),
            ("tel:12%", .noNumber), ("tel:12%+1", .noNumber), ("tel:12%zz", .noNumber), ("tel:１２", .noNumber),
            ("tel:*21*666%23", .code), ("tel:%2a21", .code), ("tel:123;ext=%23", .code), ("tel:1+2", .noNumber),
            ("tel:123;phone-context=evil.example", .elsewhere), ("tel:+1;m-pay=1", .unknownDemand("m-pay")),
            ("tel:" + String(repeating: "1", count: 300), .tooLong), ("sip:", .noNumber), ("sip:@", .noNumber),
            ("sip:anna:secret@pbx.example", .password), ("sip:anna@pbx.example;method=REFER", .unknownDemand("method")),
            ("sip:anna@pbx.example;maddr=192.0.2.9", .unknownDemand("maddr")), ("sip:an%0ana@pbx.example", .noNumber),
            ("sip:anna@pbx.example\r\nEvil: 1", .noNumber), ("sip:*21*666%23@pbx.example", .code),
            ("sip:%2A21@pbx.example", .code), ("sip:100%23@pbx.example", .code),
        ] as [(String, DialLinkError)])
    func linkWithExtrasIsRefused(link: String, why: DialLinkError) {
        #expect(throws: why) { try DialLink(link) }
    }
}
