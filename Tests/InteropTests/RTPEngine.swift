import Bench
import Foundation
import Rig

/// Debian's rtpengine: a media relay with ICE and DTLS on one side, and SRTP with other keys on the other. In user
/// space only.
final class RTPEngine {
    static let program = "/usr/bin/rtpengine"
    static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: program) && KamailioProcess.knows("rtpengine")
    }
    /// Its control port, at 127.0.0.1 on its host.
    static let controlPort: UInt16 = 22_222

    private let server: LoggedServer

    init(folder: String, host: HostPair.Host) throws {
        server = try LoggedServer(
            host.prefix + [
                Self.program, "--config-file=none", "--foreground", "--log-stderr", "--log-level=6", "--table=-1",
                "--interface=\(host.address)", "--listen-ng=127.0.0.1:\(Self.controlPort)", "--port-min=41000",
                "--port-max=41999", "--num-threads=2",
            ], folder: folder, isUpWhen: "Startup complete")
    }

    @discardableResult
    func stop() -> ChildProcess.Exit? { server.stop() }
}
