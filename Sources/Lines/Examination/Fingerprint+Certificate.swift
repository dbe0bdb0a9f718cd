import Base
import Cryptography

extension Fingerprint {
    /// The fingerprint of a certificate that a far end showed.
    init(_ certificate: Certificate) { self.init(bytes: certificate.fingerprint) }

    /// The fingerprint as a configuration and `openssl x509 -fingerprint -sha256` write it.
    package var text: String {
        bytes.map { $0 < 16 ? "0" + String($0, radix: 16, uppercase: true) : String($0, radix: 16, uppercase: true) }
            .joined(separator: ":")
    }
}
