import Glibc

/// A test's own certificate authority, made with Debian's openssl, and a server certificate from it.
public struct TestAuthority: Sendable {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public static var isPossible: Bool { unsafe access("/usr/bin/openssl", X_OK) == 0 }

    /// PEM files.
    public let authorities: String
    public let certificate: String
    public let key: String
    private let authorityKey: String

    /// A new authority, and its certificate for `localhost`.
    public init(folder: String) throws {
        try TextFile.makeFolder(folder)
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
    public func certifying(_ name: String, in folder: String) throws -> TestAuthority {
        try TextFile.makeFolder(folder)
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
        let log = folder + "/openssl.log"
        let run = try ChildProcess(["openssl"] + new + words, environment: ["HOME": folder], log: log)
        guard run.wait(upTo: .seconds(20)) == .status(0) else {
            throw Failure(description: "openssl: \(try TextFile.read(log))")
        }
    }
}
