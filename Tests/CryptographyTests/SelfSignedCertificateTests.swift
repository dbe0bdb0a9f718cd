import Base
import Cryptography
import Testing

/// The certificate that a phone makes for its page.
@Suite struct SelfSignedCertificateTests {
    private func made() throws -> SelfSignedCertificate {
        let addresses = ["192.0.2.7", "2001:db8::7"].compactMap { IPAddress($0) }
        return try SelfSignedCertificate.make(name: "board", hosts: ["board", "board.local"], addresses: addresses)
    }

    @Test func itHasNamesAndAddressesAndIsReadAgain() throws {
        let made = try made()
        #expect(Certificate(pem: made.certificatePEM) == made.certificate)
        let names = made.certificate.subjectAlternativeNames
        #expect(names.prefix(2) == [.dns("board"), .dns("board.local")])
        #expect(names.dropFirst(2).first == .address([192, 0, 2, 7]) && names.count == 4)
        let other = try self.made()
        #expect(other.certificate.fingerprint != made.certificate.fingerprint && other.keyPEM != made.keyPEM)
    }

    @Test func textWithoutCertificateIsNone() throws {
        for text in ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            #expect(Certificate(pem: Array(text.utf8)) == nil)
        }
        #expect(Certificate(pem: try made().keyPEM) == nil)
    }
}
