import Base
import Bench
import Foundation
import Rig

/// Debian's Kamailio as the server of phones on loopback: it asks who registers and who calls for a password, keeps
/// in memory where they are, and stays on the way of their calls.
final class Kamailio {
    static var isInstalled: Bool { KamailioProcess.isInstalled }
    static var knowsTLS: Bool { KamailioProcess.knows("tls") }
    /// Far from the ports of phones in other tests. UDP and TCP.
    static let port: UInt16 = 28_060
    static var address: String { "127.0.0.1:\(port)" }
    /// With TLS it listens here too, under the name that is in its certificate.
    static let securePort: UInt16 = 28_061
    static var secureAddress: String { "localhost:\(securePort)" }

    private let process: KamailioProcess
    private let inquiry: Inquiry

    /// Starts it and waits until it answers.
    /// - Parameters:
    ///   - algorithm: `MD5` or `SHA-256`.
    ///   - authority: Who says that it is `localhost`, for TLS.
    init(folder: String, algorithm: String, authority: TestAuthority? = nil) throws {
        inquiry = try Inquiry(port: Self.port)
        process = try KamailioProcess(
            folder: folder, script: Self.script(algorithm: algorithm, authority: authority), inquiry: inquiry,
            megabytes: authority == nil ? (16, 4) : (32, 8))
    }

    static func password(of user: String) -> String { "word-of-\(user)" }

    /// Whether it has a location of this user.
    func knows(_ user: String) throws -> Bool {
        guard let status = inquiry.status(of: "\(user)@\(Self.address)", upTo: .seconds(2)) else {
            throw KamailioProcess.Failure(description: "kamailio does not answer: \(process.said)")
        }
        return status == 200
    }

    /// The methods of the requests inside calls that went through it, in order; what was repeated counts once.
    var relayed: [String] {
        process.said.split(separator: "\n").reduce(into: []) { methods, line in
            guard let mark = line.range(of: "relayed ") else { return }
            let method = String(line[mark.upperBound...])
            if methods.last != method { methods.append(method) }
        }
    }

    func stop() -> ChildProcess.Exit? { process.stop() }
}
