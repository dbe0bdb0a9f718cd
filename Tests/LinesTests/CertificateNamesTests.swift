import Cryptography
import Lines
import Rig
import SecureTransport
import Testing

@Suite("Certificate names (RFC 5922 §7)")
struct CertificateNamesTests {
    @Test(
        "a domain matches a SIP URI or host name, in any case, and never a wildcard",
        arguments: [
            ("DNS:example.org", "example.org", true), ("DNS:EXAMPLE.org", "example.ORG.", true),
            ("URI:sip:example.org", "example.org", true), ("URI:sip:example.org:5061", "example.org", true),
            ("DNS:a.example, URI:sip:example.org", "example.org", true),
            ("DNS:example.org", "sip.example.org", false), ("DNS:sip.example.org", "example.org", false),
            ("DNS:*.example.org", "sip.example.org", false), ("DNS:*.example.org", "*.example.org", false),
            ("URI:sips:example.org", "example.org", false), ("URI:sip:alice@example.org", "example.org", false),
            ("URI:https://example.org", "example.org", false), ("DNS:a.example", "common.example", false),
            ("IP:192.0.2.7", "192.0.2.7", true), ("DNS:192.0.2.7", "192.0.2.7", false),
            ("IP:192.0.2.7", "192.0.2.8", false), ("IP:2001:db8::7", "2001:DB8::7", true),
            ("email:alice@example.org", "example.org", false),
        ])
    func domainMatchesSIPURIOrHostNameInAnyCaseAndNeverWildcard(_ names: String, _ domain: String, _ isOwner: Bool)
        throws
    {
        let certificates = try Certificates()
        try certificates.make("one", names)
        let own = CertificateNames(Certificate(der: try certificates.der("one")))
        #expect(own.include(domain) == isOwner)
    }

    @Test("a fingerprint is read in openssl's format only")
    func fingerprintIsReadInOpensslFormatOnly() throws {
        let certificates = try Certificates()
        try certificates.make("one", "DNS:a.example", isSelfSigned: true)
        let text = try certificates.fingerprint("one")
        #expect(Fingerprint(text)?.bytes == Certificate(der: try certificates.der("one")).fingerprint)
        #expect(Fingerprint(String(text.dropLast())) == nil && Fingerprint(text + "0") == nil && Fingerprint("") == nil)
        #expect(Fingerprint(String(repeating: "g", count: 64)) == nil)
    }
}
