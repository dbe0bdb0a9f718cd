import Bench
import Foundation

/// A test's own certificate authority, made with Debian's openssl, and a server certificate from it.
struct TestAuthority {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static var isPossible: Bool { Tool.isInstalled("openssl") }

    /// PEM files.
    let authorities: String
    let certificate: String
    let key: String
    private let authorityKey: String

    /// A new authority, and its certificate for `localhost`.
    init(folder: String) throws {
        (authorities, authorityKey) = (folder + "/authority.pem", folder + "/authority.key")
        (certificate, key) = (folder + "/server.pem", folder + "/server.key")
        try Self.openssl(
            ["-subj", "/CN=Offhook's test authority", "-keyout", authorityKey, "-out", authorities], in: folder)
        try certify("localhost", in: folder)
    }

    private init(_ other: TestAuthority, folder: String) {
        (authorities, authorityKey) = (other.authorities, other.authorityKey)
        (certificate, key) = (folder + "/server.pem", folder + "/server.key")
    }

    /// The same authority with a certificate for another name.
    func certifying(_ name: String, in folder: String) throws -> TestAuthority {
        let other = TestAuthority(self, folder: folder)
        try other.certify(name, in: folder)
        return other
    }

    private func certify(_ name: String, in folder: String) throws {
        let kind = name.allSatisfy { $0.isNumber || $0 == "." } ? "IP" : "DNS"
        try Self.openssl(
            [
                "-CA", authorities, "-CAkey", authorityKey, "-subj", "/CN=unused", "-addext",
                "subjectAltName=\(kind):\(name),URI:sip:\(name)", "-addext", "basicConstraints=critical,CA:FALSE",
                "-keyout", key, "-out", certificate,
            ], in: folder)
    }

    private static func openssl(_ words: [String], in folder: String) throws {
        let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        let run = try Tool(["openssl"] + new + words, in: folder).findings()
        guard run.exit == .status(0) else { throw Failure(description: "openssl: \(run.output)") }
    }
}
