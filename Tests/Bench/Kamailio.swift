/// Debian's Kamailio as the server of phones on loopback. It challenges registrations and calls, keeps locations in
/// memory, and stays on the path of calls.
public final class Kamailio {
    public static var isInstalled: Bool { KamailioProcess.isInstalled }
    public static var knowsTLS: Bool { KamailioProcess.knows("tls") }
    public static var knowsWebSockets: Bool { KamailioProcess.knows("websocket") }
    /// The path at which it opens WebSockets, at the ports of TCP and TLS.
    public static let webSocketPath = "/phones"
    /// Far from the ports of phones in other tests. UDP and TCP.
    public static let port: UInt16 = 28_060
    public static var address: String { "127.0.0.1:\(port)" }
    /// With TLS it listens here too, under the name in its certificate.
    public static let securePort: UInt16 = 28_061
    public static var secureAddress: String { "localhost:\(securePort)" }

    private let process: KamailioProcess
    private let inquiry: Inquiry

    /// Starts it and waits until it answers.
    /// - Parameters:
    /// - algorithm: `MD5` or `SHA-256`.
    /// - authority: The issuer of the certificate for `localhost`, for TLS.
    /// - opensWebSockets: Whether it accepts phones over WebSockets, too.
    public init(
        folder: String, algorithm: String, authority: TestAuthority? = nil, opensWebSockets: Bool = false
    ) throws {
        inquiry = try Inquiry(port: Self.port)
        let script = Self.script(algorithm: algorithm, authority: authority)
        process = try KamailioProcess(
            folder: folder, script: script + (opensWebSockets ? Self.webSockets : ""), inquiry: inquiry,
            megabytes: authority == nil ? (16, 4) : (32, 8))
    }

    public static func password(of user: String) -> String { "word-of-\(user)" }

    /// Whether it has a location of this user.
    public func knows(_ user: String) throws -> Bool {
        guard let status = inquiry.status(of: "\(user)@\(Self.address)", upTo: .seconds(2)) else {
            throw KamailioProcess.Failure(description: "kamailio does not answer: \(process.said)")
        }
        return status == 200
    }

    /// The methods of the requests inside calls that went through it, in order; repetitions count once.
    public var relayed: [String] {
        process.said.split(separator: "\n").reduce(into: []) { methods, line in
            guard let mark = line.firstRange(of: "relayed ") else { return }
            let method = String(line[mark.upperBound...])
            if methods.last != method { methods.append(method) }
        }
    }

    /// How many WebSockets it opened.
    public var openedWebSockets: Int {
        process.said.split(separator: "\n").count { $0.hasSuffix("opened a WebSocket") }
    }

    /// Its log of messages that it could not read.
    public var complaints: [Substring] {
        process.said.split(separator: "\n").filter { $0.contains("ERROR") && !$0.contains("<script>") }
    }

    @discardableResult
    public func stop() -> ChildProcess.Exit? { process.stop() }
}
