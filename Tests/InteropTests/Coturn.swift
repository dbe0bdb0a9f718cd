import Bench
import Foundation
import Rig

/// Debian's coturn as STUN and TURN server, over UDP, TCP and TLS.
final class Coturn {
    static let program = "/usr/bin/turnserver"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
    static let password = "relay-this"

    private let server: LoggedServer
    let host: HostPair.Host

    /// - Parameter authority: The issuer of its certificate, for TLS.
    init(folder: String, host: HostPair.Host, authority: TestAuthority? = nil) throws {
        self.host = host
        let security =
            authority.map { ["--cert", $0.certificate, "--pkey", $0.key] } ?? ["--no-tls"]
        server = try LoggedServer(
            host.prefix + [
                Self.program, "-n", "--verbose", "--no-cli",
                "--no-dtls", "--no-software-attribute", "--log-file=stdout",
                "--listening-ip=\(host.address)", "--relay-ip=\(host.address)", "--lt-cred-mech",
                "--realm=example.org", "--user=phone:\(Self.password)", "--pidfile=\(folder)/pid",
                "--min-port=40000", "--max-port=40999", "--db=\(folder)/db",
            ] + security, folder: folder, isUpWhen: "IPv4. UDP listener opened")
    }

    /// Its log.
    var said: String { server.said }

    @discardableResult
    func stop() -> ChildProcess.Exit? { server.stop() }
}
