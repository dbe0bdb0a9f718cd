import Base
import Testing

@Suite("Addresses (RFC 3986)") struct WebAddressTests {
    @Test(arguments: [
        ("https://a.example", "https://a.example/"), ("HTTPS://A.Example:443/x?y=1", "https://a.example/x?y=1"),
        ("https://a.example:8443/", "https://a.example:8443/"), ("https://a.example?q", "https://a.example/?q"),
        ("https://192.0.2.1/", "https://192.0.2.1/"), ("https://[2001:DB8::1]:444/", "https://[2001:db8::1]:444/"),
        ("http://localhost:8400/api", "http://localhost:8400/api"), ("http://127.9.9.9/", "http://127.9.9.9/"),
        ("http://[::1]/", "http://[::1]/"),
    ])
    func addressIsReadAndWritten(_ text: String, _ written: String) throws {
        #expect(try WebAddress(text).text == written)
    }

    /// What two readers could understand differently is refused.
    @Test(arguments: [
        "", "https:", "https://", "https:///x", "a.example/x", "ftp://a.example/", "file:///etc/passwd",
        "https://user@a.example/", "https://user:word@a.example/", "https://a.example\\@b.example/",
        "https://a.example:0/", "https://a.example:65536/", "https://a.example:+1/", "https://a.example:/",
        "https://a.example:12x/", "https://a example/", "https://a.example/a b", "https://a.example/ä",
        "https://ä.example/", "https://a.example/\r\nX: y", "https://a.example/\u{0}", "https://a..example/",
        "https://.example/", "https://a.example./", "https://-a.example/", "https://127.1/", "https://0x7f.0.0.1/",
        "https://2130706433/", "https://0177.0.0.1/", "https://256.1.1.1/", "https://1.2.3.4.5/", "https://a.1/",
        "https://[::1/", "https://[a.example]/", "https://[fe80::1%25eth0]/", "https://[]/", "https://a.example/#f",
        "https://a.example/" + String(repeating: "a", count: 3_000),
    ])
    func doubtfulAddressIsRefused(_ text: String) {
        #expect(throws: WebAddress.Fault.self) { try WebAddress(text) }
    }

    @Test(arguments: ["http://a.example/", "http://192.0.2.1/", "http://127.0.0.1.example/", "http://[::2]/"])
    func plainHTTPIsOnlyForThisMachine(_ text: String) {
        #expect(throws: WebAddress.Fault.clear) { try WebAddress(text) }
    }

    /// RFC 3986 §5.4, the examples that an HTTP address can have.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
        ("", "/b/c/d;p?q"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"), (".", "/b/c/"), ("./", "/b/c/"),
        ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../g", "/g"), ("../../../g", "/g"),
        ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), ("..g", "/b/c/..g"), ("./../g", "/b/g"),
        ("./g/.", "/b/c/g/"), ("g/../h", "/b/c/h"), ("g;x=1/../y", "/b/c/y"), ("g?y/../x", "/b/c/g?y/../x"),
        ("https://a/g", "/g"), ("//a/g", "/g"),
    ])
    func referenceIsResolved(_ reference: String, _ target: String) throws {
        let base = try WebAddress("https://a/b/c/d;p?q")
        #expect(try base.resolve(reference).text == "https://a" + target)
    }

    @Test func referenceToAnotherServerIsResolved() throws {
        let base = try WebAddress("https://a.example/b")
        #expect(try base.resolve("//c.example/d").text == "https://c.example/d")
        #expect(try base.resolve("https://c.example:1/../d").text == "https://c.example:1/d")
        for reference in ["javascript:1", "http://c.example/", "//user@a.example/", "a b"] {
            #expect(throws: WebAddress.Fault.self) { try base.resolve(reference) }
        }
    }
}
