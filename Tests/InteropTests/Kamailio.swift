import Base
import Bench
import Foundation
import Glibc
import Rig

/// Debian's Kamailio as the server of phones on loopback: it asks who registers and who calls for a password, keeps
/// in memory where they are, and stays on the way of their calls.
final class Kamailio {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let program = "/usr/sbin/kamailio"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
    /// Far from the ports of phones in other tests. UDP and TCP.
    static let port: UInt16 = 28_060
    static var address: String { "127.0.0.1:\(port)" }
    /// With TLS it listens here too, under the name that is in its certificate.
    static let securePort: UInt16 = 28_061
    static var secureAddress: String { "localhost:\(securePort)" }
    static var knowsTLS: Bool {
        FileManager.default.fileExists(atPath: "/usr/lib/x86_64-linux-gnu/kamailio/modules/tls.so")
            || FileManager.default.fileExists(atPath: "/usr/lib/aarch64-linux-gnu/kamailio/modules/tls.so")
    }

    let process: ChildProcess
    private let log: String
    private let inquiry: Inquiry

    /// Starts it and waits until it answers.
    /// - Parameters:
    ///   - algorithm: `MD5` or `SHA-256`.
    ///   - authority: Who says that it is `localhost`, for TLS.
    init(folder: String, algorithm: String, authority: TestAuthority? = nil) throws {
        try TextFile.makeFolder(folder)
        try TextFile.write(Self.script(algorithm: algorithm, authority: authority), to: folder + "/kamailio.cfg")
        log = folder + "/log"
        inquiry = try Inquiry(port: Self.port)
        // In the foreground with its children, logging to standard error, in little memory, in its own folder.
        process = try ChildProcess(
            [
                Self.program, "-DD", "-E", "-m", authority == nil ? "16" : "32", "-M", authority == nil ? "4" : "8",
                "-f", folder + "/kamailio.cfg", "-Y", folder, "-P",
                folder + "/pid",
            ], log: log)
        try waitUntilUp()
    }

    deinit { _ = stop() }

    static func password(of user: String) -> String { "word-of-\(user)" }

    /// Whether it has a location of this user.
    func knows(_ user: String) throws -> Bool {
        guard let status = inquiry.status(of: "\(user)@\(Self.address)", upTo: .seconds(2)) else {
            throw Failure(description: "kamailio does not answer; see \(log)")
        }
        return status == 200
    }

    /// The methods of the requests inside calls that went through it, in order; what was repeated counts once.
    var relayed: [String] {
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return said.split(separator: "\n").reduce(into: []) { methods, line in
            guard let mark = line.range(of: "relayed ") else { return }
            let method = String(line[mark.upperBound...])
            if methods.last != method { methods.append(method) }
        }
    }

    /// Ends it. It ends its children itself; were it not able to, they are ended here.
    func stop() -> ChildProcess.Exit? {
        let children = process.poll() == nil ? self.children : []
        let exit = process.stop().exit
        if exit != .status(0) { for child in children { kill(child, SIGKILL) } }
        return exit
    }

    private func waitUntilUp() throws {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end, process.poll() == nil {
            if inquiry.status(of: Self.address, upTo: .milliseconds(100)) == 200 { return }
        }
        let children = children
        _ = process.stop()
        for child in children { kill(child, SIGKILL) }
        throw Failure(
            description: "kamailio did not come up: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
    }

    private var children: [pid_t] {
        let list = "/proc/\(process.identifier)/task/\(process.identifier)/children"
        return ((try? String(contentsOfFile: list, encoding: .utf8)) ?? "").split(separator: " ").compactMap {
            pid_t($0)
        }
    }
}
