import Base
import Control
import FoundationEssentials
import JSON

/// The reference backend (docs/backend.md), over HTTPS.
public final class BackendServer {
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    public let folder: String
    public private(set) var url = ""
    public private(set) var hasBroker = false
    private let command: [String]
    private let isTemporary: Bool
    private var server: JSONLineServer?

    /// The certificate of its authority.
    public var authority: String { folder + "/tls/ca.crt" }

    /// Starts it. Sign-ins poll every second.
    /// - Parameters:
    /// - python: `Scripts/backend` prints it.
    /// - script: `serve.py`.
    /// - folder: For its data and log; made if missing.
    /// - broker: Whether it has mosquitto for caller info.
    /// - isTemporary: Whether the folder is removed with it.
    public init(
        python: String, script: String, folder: String, broker: Bool = true, isTemporary: Bool = false
    ) throws {
        (self.folder, self.isTemporary) = (folder, isTemporary)
        command = [python, "-B", script, "--folder", folder, "--tls"]
        try start(["--port", "0"] + (broker ? [] : ["--no-broker"]))
        try order(["do": "settings", "interval_seconds": 1])
    }

    deinit {
        stop()
        // A folder that stays is only untidy.
        if isTemporary { try? FileManager.default.removeItem(atPath: folder) }
    }

    private func start(_ options: [String]) throws {
        let server = try JSONLineServer(command + options, folder: folder)
        self.server = server
        let listening = try server.wait(for: "listening", upTo: .seconds(30))
        url = listening["url"]?.string ?? ""
        hasBroker = listening["mqtt"]?.object != nil
    }

    /// Starts it again after `stop`, at the same port and with the same data.
    public func startAgain() throws {
        guard let port = url.split(separator: ":").last else { throw Failure(description: "it never ran") }
        try start(["--port", String(port), "--no-broker"])
    }

    @discardableResult
    public func stop() -> ChildProcess.Exit? { server?.stop() }

    /// All events so far.
    public var events: [JSONValue] { server?.events ?? [] }

    /// All events with this name so far.
    public func events(_ name: String) -> [JSONValue] { server?.events(name) ?? [] }

    /// Waits for so many of the event, and returns the last.
    @discardableResult
    public func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        guard let server else { throw Failure(description: "it never ran") }
        return try server.wait(for: name, times: times, upTo: limit)
    }

    /// Carries out a command of docs/backend.md, and returns its answer.
    @discardableResult
    public func order(_ order: JSONValue) throws -> JSONValue {
        guard let server else { throw Failure(description: "it never ran") }
        return try server.order(order)
    }
}

extension BackendServer {
    /// A user's account in an organisation.
    public struct Account: Sendable {
        public let organisation: JSONValue
        public let user: String
        public let password: String
        public let kind: String
        public let transport: String

        public init(
            organisation: JSONValue, user: String, password: String, kind: String = "sip", transport: String = "udp"
        ) {
            (self.organisation, self.user, self.password) = (organisation, user, password)
            (self.kind, self.transport) = (kind, transport)
        }
    }

    /// Gives these accounts to Ada, who works for three organisations.
    public func addAccounts(at server: String, _ accounts: [Account]) throws {
        for account in accounts {
            try order([
                "do": "membership", "user": "ada", "organization_id": account.organisation,
                "sip_username": .string(account.user), "sip_password": .string(account.password),
                "sip_server": .string(server), "sip_transport": .string(account.transport),
                "kind": .string(account.kind), "caller_id_name": .string("Ada \(account.user)"),
            ])
        }
    }

    /// The section of a phone's configuration that names it.
    public func section(phone name: String) -> String {
        """
        backend:
          url: "\(url)"
          authorities: \(authority)
          name: \(name)
        """
    }
}

extension RigPhone {
    /// A finished sign-in.
    public struct SignIn: Sendable {
        /// `code` and `address`, which the phone shows.
        public let code: JSONValue
        public let shown: Instant
        /// When the person allowed it.
        public let allowed: Instant
        /// The event `signedIn`.
        public let done: ControlEvent
    }

    /// Signs the phone in as Ada, until her account is registered.
    public func signIn(at backend: BackendServer) throws -> SignIn {
        let code = try ask("signIn")
        let shown = MonotonicTime.now
        try backend.order(["do": "approve", "user_code": code["code"] ?? .null, "user": "ada"])
        let allowed = MonotonicTime.now
        let done = try wait(for: "signedIn", upTo: .seconds(10))
        try waitUntilReady()
        return SignIn(code: code, shown: shown, allowed: allowed, done: done)
    }

    /// The organisation for which the user works now, as the backend's list marks it.
    public func organisation() throws -> JSONValue? {
        try ask("getOrganizations")["organizations"]?.array?.first { $0["isCurrent"] == true }?["id"]
    }
}
