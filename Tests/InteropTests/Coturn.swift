import Base
import Bench
import Foundation
import Rig

/// Debian's coturn as STUN and TURN server, over UDP, TCP and TLS.
final class Coturn {
    static let program = "/usr/bin/turnserver"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
    static let password = "relay-this"

    private let process: ChildProcess
    private let log: String
    let host: HostPair.Host

    /// - Parameter authority: Who says that it is its address, for TLS.
    init(folder: String, host: HostPair.Host, authority: TestAuthority? = nil) throws {
        self.host = host
        try TextFile.makeFolder(folder)
        log = folder + "/log"
        let security =
            authority.map { ["--cert", $0.certificate, "--pkey", $0.key] } ?? ["--no-tls"]
        process = try ChildProcess(
            host.prefix + [
                Self.program, "-n", "--verbose", "--no-cli",
                "--no-dtls", "--no-software-attribute", "--log-file=stdout",
                "--listening-ip=\(host.address)", "--relay-ip=\(host.address)", "--lt-cred-mech",
                "--realm=example.org", "--user=phone:\(Self.password)", "--pidfile=\(folder)/pid",
                "--min-port=40000", "--max-port=40999", "--db=\(folder)/db",
            ] + security, log: log)
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end, !said.contains("IPv4. UDP listener opened") {
            MonotonicTime.sleep(.milliseconds(20))
        }
    }

    /// What it wrote into its log.
    var said: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    @discardableResult
    func stop() -> ChildProcess.Exit? { process.stop().exit }
}
