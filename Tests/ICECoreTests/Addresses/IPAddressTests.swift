import ICECore
import Testing

@Suite("Numeric addresses")
struct IPAddressTests {
    @Test(
        "an address is read, and written by RFC 5952",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"),
            ("2001:0DB8:0:0:0:0:0:7", "2001:db8::7"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("fe80::", "fe80::"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("::ffff:192.0.2.1", "::ffff:c000:201"), ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"),
        ])
    func addressIsReadAndWrittenByRFC5952(text: String, written: String) {
        #expect(IPAddress(text)?.text == written)
        #expect(IPAddress(written) == IPAddress(text))
    }

    @Test("a zone is dropped where it may appear, and IPv4 is mapped")
    func zoneIsDroppedWhereItMayAppearAndIPv4IsMapped() {
        #expect(IPAddress(zoned: "fe80::1%eth0") == IPAddress("fe80::1"))
        #expect(IPAddress(zoned: "192.0.2.7") == IPAddress("192.0.2.7") && IPAddress(zoned: "%lo") == nil)
        #expect(IPAddress("192.0.2.1")?.mapped == IPAddress("::ffff:192.0.2.1"))
        #expect(IPAddress("::1")?.mapped == IPAddress("::1"))
        #expect(IPAddress.unspecified == IPAddress("0.0.0.0"))
    }

    @Test(
        "other text is rejected",
        arguments: [
            "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "12345::", "g::",
            "192.0.2", "192.0.2.256", "192.0.2.01", "192.0.2.+1", "1.2.3.4.5", "::1%lo", "[::1]", "::1.2.3",
            "1:2:3:4::5:6:7:8",
            "1.2.3.4::", "example.org",
        ])
    func otherTextIsRejected(text: String) { #expect(IPAddress(text) == nil) }
}
