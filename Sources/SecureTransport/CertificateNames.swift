import Base
import Cryptography
import SIPCore

/// The names in a certificate (RFC 5922 §7.1): the domains of its SIP URIs, its host names and its addresses.
///
/// The common name is ignored. RFC 5922 allows it only for old certificates, which no authority issues any more.
package struct CertificateNames: Equatable, Sendable {
    /// Domains and host names.
    package let domains: [String]
    package let addresses: [IPAddress]

    package init(domains: [String], addresses: [IPAddress]) { (self.domains, self.addresses) = (domains, addresses) }

    package init(_ certificate: Certificate) {
        var domains: [String] = []
        var addresses: [IPAddress] = []
        for name in certificate.subjectAlternativeNames {
            switch name {
            case .dns(let host): domains.append(host)
            case .uri(let uri): Self.domain(of: uri).map { domains.append($0) }
            case .address(let bytes): IPAddress(bytes: bytes).map { addresses.append($0) }
            }
        }
        self.init(domains: domains, addresses: addresses)
    }

    /// Whether the certificate is for this domain. The whole name is compared, without regard to case, and a wildcard
    /// never matches (RFC 5922 §7.2). Only an address matches an address.
    package func include(_ domain: String) -> Bool {
        if let address = IPAddress(domain) { return addresses.contains(address) }
        let wanted = domain.utf8.withoutLastDot
        return domains.contains { own in
            let own = own.utf8.withoutLastDot
            return !own.isEmpty && !own.contains(UInt8(ascii: "*"))
                && own.elementsEqual(wanted) { $0.asciiLowercased == $1.asciiLowercased }
        }
    }

    /// A SIP URI with a user part names that user, not a domain. A `sips` URI must not name an identity (RFC 5922
    /// §7.1).
    private static func domain(of text: String) -> String? {
        guard let uri = try? URI(text), case .sip(let sip) = uri, sip.scheme == .sip, sip.userinfo == nil else {
            return nil
        }
        return sip.host
    }
}

extension String.UTF8View {
    fileprivate var withoutLastDot: SubSequence { last == UInt8(ascii: ".") ? dropLast() : self[...] }
}
