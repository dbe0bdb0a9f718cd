import JSON

/// `Tests/Servers/verto.py`: a Verto server with aiortc's media, for the given users.
public final class VertoServer {
    /// The credentials of a user: a password, or a token.
    public enum Login: Sendable {
        case password(String)
        case token(String)
    }

    public let port: UInt16
    private let server: JSONLineServer

    /// - Parameters:
    /// - python: One that has aiortc; `Scripts/webrtc` makes it.
    /// - script: `verto.py`.
    /// - folder: For its log; made if missing.
    /// - dialect: `telnyx` or `freeswitch`.
    /// - logins: By user.
    /// - prefix: Words before its command that run it on another host.
    /// - more: Further options of `verto.py`.
    public init(
        python: String, script: String, folder: String, dialect: String, logins: KeyValuePairs<String, Login>,
        prefix: [String] = [], more: [String] = []
    ) throws {
        let users = logins.flatMap { user, login in
            switch login {
            case .password(let password): ["--user", "\(user):\(password)"]
            case .token(let token): ["--token", "\(user):\(token)"]
            }
        }
        // It transcodes voice in Python, and would be late with it beside other tests. Root may raise its priority.
        server = try JSONLineServer(
            prefix + [python, "-B", script, "--dialect", dialect] + users + more, environment: ["HOME": folder],
            folder: folder, preparation: "renice -n -10 -p $$ > /dev/null 2>&1")
        port = UInt16(try server.wait(for: "listening", upTo: .seconds(20))["port"]?.integer ?? 0)
    }

    /// Sends it a command: `{"do": …}`.
    public func order(_ json: String) throws { try server.say(json) }

    /// All events with this name so far.
    public func events(_ name: String) -> [JSONValue] { server.events(name) }

    /// Its output so far.
    public var said: String { server.said }

    /// Waits for the event, or for so many of it, and returns the last.
    @discardableResult
    public func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        try server.wait(for: name, times: times, upTo: limit)
    }

    @discardableResult
    public func stop() -> ChildProcess.Exit? { server.stop() }
}
