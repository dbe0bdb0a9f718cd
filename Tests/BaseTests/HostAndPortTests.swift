import Base
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("pbx.example", "pbx.example", nil), ("pbx.example:5061", "pbx.example", 5_061),
            ("192.0.2.7:1", "192.0.2.7", 1),
            ("[2001:db8::7]", "2001:db8::7", nil), ("[::1]:65535", "::1", 65_535),
        ] as [(String, String, UInt16?)])
    func hostAndPortAreRead(text: String, host: String, port: UInt16?) throws {
        let place = try #require(HostAndPort(text))
        #expect(place.host == host && place.port == port && place.isVersion6 == text.hasPrefix("["))
        #expect(place.host.inBrackets + (port.map { ":\($0)" } ?? "") == text)
    }

    @Test(arguments: [
        "a:", "a:0", "a:65536", "a:+1", "a:x", "a:1:2", "::1", "[::1", "[::1]x", "[::1]:", "[a.example]", "[127.0.0.1]",
        "[::1%lo]", "[]",
    ])
    func otherTextIsRejected(text: String) { #expect(HostAndPort(text) == nil) }
}
