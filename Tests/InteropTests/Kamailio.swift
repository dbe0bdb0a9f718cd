import Base
import Bench
import Foundation
import Rig

/// Debian's Kamailio as the server of phones on loopback. It challenges registrations and calls, keeps locations in
/// memory, and stays on the path of calls.
final class Kamailio {
    static var isInstalled: Bool { KamailioProcess.isInstalled }
    static var knowsTLS: Bool { KamailioProcess.knows("tls") }
    static var knowsWebSockets: Bool { KamailioProcess.knows("websocket") }
    /// The path at which it opens WebSockets, at the ports of TCP and TLS.
    static let webSocketPath = "/phones"
    /// Far from the ports of phones in other tests. UDP and TCP.
    static let port: UInt16 = 28_060
    static var address: String { "127.0.0.1:\(port)" }
    /// With TLS it listens here too, under the name in its certificate.
    static let securePort: UInt16 = 28_061
    static var secureAddress: String { "localhost:\(securePort)" }

    private let process: KamailioProcess
    private let inquiry: Inquiry

    /// Starts it and waits until it answers.
    /// - Parameters:
    /// - algorithm: `MD5` or `SHA-256`.
    /// - authority: The issuer of the certificate for `localhost`, for TLS.
    /// - opensWebSockets: Whether it accepts phones over WebSockets, too.
    init(
        folder: String, algorithm: String, authority: TestAuthority? = nil, opensWebSockets: Bool = false
    ) throws {
        inquiry = try Inquiry(port: Self.port)
        let script = Self.script(algorithm: algorithm, authority: authority)
        process = try KamailioProcess(
            folder: folder, script: script + (opensWebSockets ? Self.webSockets : ""), inquiry: inquiry,
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

    /// The methods of the requests inside calls that went through it, in order; repetitions count once.
    var relayed: [String] {
        process.said.split(separator: "\n").reduce(into: []) { methods, line in
            guard let mark = line.range(of: "relayed ") else { return }
            let method = String(line[mark.upperBound...])
            if methods.last != method { methods.append(method) }
        }
    }

    /// How many WebSockets it opened.
    var openedWebSockets: Int { process.said.split(separator: "\n").count { $0.hasSuffix("opened a WebSocket") } }

    /// Its log of messages that it could not read.
    var complaints: [Substring] {
        process.said.split(separator: "\n").filter { $0.contains("ERROR") && !$0.contains("<script>") }
    }

    func stop() -> ChildProcess.Exit? { process.stop() }
}
