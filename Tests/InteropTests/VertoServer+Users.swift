import Bench
import Foundation
import Rig

/// A Verto server whose users are 101 and 102, with a password each, and 103, with a token. It bridges their calls.
extension VertoServer {
    static let script = Workplace.root + "/Tests/Servers/verto.py"
    static let python = Workplace.root + "/.build/webrtc/bin/python"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: python) }

    static func password(of user: String) -> String { "word-of-\(user)" }
    /// A token as long and as secret as Telnyx's.
    static let token = "eyJhbGciOiJIUzUxMiJ9." + String(repeating: "c2VjcmV0LXRva2Vu", count: 30) + ".sig-_n"

    /// - Parameters:
    /// - authority: the issuer of the certificate for `localhost`, for TLS.
    /// - host: where it runs. Nil: on this one, behind its loopback interface.
    convenience init(
        folder: String, dialect: String, authority: TestAuthority? = nil, on host: HostPair.Host? = nil,
        more: [String] = []
    ) throws {
        let security = authority.map { ["--certificate", $0.certificate, "--key", $0.key] } ?? []
        try self.init(
            python: Self.python, script: Self.script, folder: folder, dialect: dialect,
            logins: [
                "101": .password(Self.password(of: "101")), "102": .password(Self.password(of: "102")),
                "103": .token(Self.token),
            ], prefix: host?.prefix ?? [], more: security + (host.map { ["--host", $0.address] } ?? []) + more)
    }
}
