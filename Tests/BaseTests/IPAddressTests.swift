import Base
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

    @Test(
        "addresses of one host, and their reach",
        arguments: [
            ("127.0.0.1", [.loopback, .host]), ("127.255.0.9", [.loopback, .host]), ("::1", [.loopback, .host]),
            ("::2", []), ("::ffff:127.0.0.1", []), ("169.254.1.1", [.link, .host]), ("febf::1", [.link, .host]),
            ("fec0::1", [.host]), ("0.0.0.0", [.unspecified]), ("::", [.unspecified]), ("0.0.0.1", []),
            ("224.0.0.1", [.multicast]), ("239.1.2.3", [.multicast]), ("240.0.0.1", []), ("ff02::1", []),
            ("ff05::1", [.multicast]), ("192.0.2.7", [.host]), ("2001:db8::7", [.host]),
        ] as [(String, Set<Kind>)])
    func kindOfAddressIsKnown(text: String, kinds: Set<Kind>) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isLoopback == kinds.contains(.loopback))
        #expect(address.isLinkLocal == kinds.contains(.link))
        #expect(address.isUnspecified == kinds.contains(.unspecified))
        #expect(address.isMulticast == kinds.contains(.multicast))
        #expect(address.isOneHost == kinds.contains(.host))
    }

    enum Kind { case loopback, link, unspecified, multicast, host }

    @Test(arguments: [("127.0.0.1", false), ("::1", true), ("fe80::1", true), ("::ffff:10.0.0.1", false)])
    func peerHasFamilyOfItsPackets(host: String, isVersion6: Bool) throws {
        #expect(try #require(TransportAddress(host: host, port: 5)).address.isVersion6 == isVersion6)
    }

    @Test
    func mappedAndPlainAddressAreSamePeer() {
        #expect(TransportAddress(host: "10.0.0.1", port: 5) == TransportAddress(host: "::ffff:10.0.0.1", port: 5))
        #expect(TransportAddress(host: "localhost", port: 5) == nil)
    }

    @Test
    func bytesAreInNetworkOrder() throws {
        let bytes: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 7]
        #expect(IPAddress("2001:db8::207")?.bytes == bytes && IPAddress(bytes: bytes)?.text == "2001:db8::207")
        #expect(
            IPAddress("192.0.2.7")?.bytes == [192, 0, 2, 7] && IPAddress(bytes: [192, 0, 2, 7])?.text == "192.0.2.7")
        #expect(IPAddress(bytes: []) == nil && IPAddress(bytes: [1, 2, 3, 4, 5]) == nil)
    }
}
