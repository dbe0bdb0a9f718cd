import Base
import Cryptography
import Foundation
import Rig

extension Certificates {
    /// A server's TLS context with that certificate.
    func context(_ name: String, asksForCertificate: Bool = false) throws -> TLSContext {
        let key = Array(try Data(contentsOf: URL(fileURLWithPath: key(name))))
        return try TLSContext(
            .server, trust: asksForCertificate ? .authorities(file: authority) : .anybody,
            identity: .init(
                certificateFile: certificate(name), key: SecretBytes(key), keyFile: self.key(name)))
    }
}
