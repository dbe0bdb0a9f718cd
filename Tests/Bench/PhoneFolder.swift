/// Everything for one `offhook run`, in one folder: configuration, board file, room for its vault and log.
public struct PhoneFolder: Sendable {
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case command(String, log: String)

        public var description: String {
            switch self {
            case .command(let line, let log): "`\(line)` failed; see \(log)"
            }
        }
    }

    /// The phone's differences from its neighbours.
    public struct Settings: Sendable {
        public var address = "127.0.0.1"
        public var port: UInt16
        public var peers: [String] = []
        /// PEM file of the trusted authorities; the system's if nil.
        public var authorities: String?
        /// Labels of accounts that ask for waiting messages.
        public var asksForMessages: [String] = []
        public var country = "US"
        public var packetMilliseconds = 20
        /// Codecs by their names in the configuration, best first; the phone's own choice if empty.
        public var codecs: [String] = []
        public var periodMilliseconds = 10
        public var firstMediaPort: UInt16
        /// The handset's ALSA device; the phone's own card if nil.
        public var device: String?
        /// Whether there is a handset. A kiosk may have a loudspeaker only, which is then part of `more`.
        public var hasHandset = true
        public var logLevel = "info"
        /// The port of the control interface over HTTP; none if nil.
        public var httpPort: UInt16?
        /// Lines to append to the configuration file.
        public var more = ""

        public init(port: UInt16, firstMediaPort: UInt16) {
            self.port = port
            self.firstMediaPort = firstMediaPort
        }

        fileprivate var codecLine: String {
            codecs.isEmpty ? "" : "\n  codecs: [\(codecs.joined(separator: ", "))]"
        }
    }

    public let path: String
    public let card: SoundCard

    public var configuration: String { path + "/offhook.yaml" }
    public var socket: String { path + "/control.sock" }
    public var log: String { path + "/log" }

    public init(path: String, board: String, card: SoundCard, settings: Settings) throws(TextFile.Failure) {
        self.path = path
        self.card = card
        try TextFile.makeFolder(path)
        try TextFile.write(
            """
            board: \(board)
            log: \(settings.logLevel)
            vault:
              file: vault
              key: vault.key
            control:
              socket: control.sock
            \(settings.httpPort.map { "  http: {address: 127.0.0.1, port: \($0)}" } ?? "")
            sip:
              address: \(settings.address)
              port: \(settings.port)
              peers: [\(settings.peers.joined(separator: ", "))]
              ask_for_messages: [\(settings.asksForMessages.joined(separator: ", "))]
            \(settings.authorities.map { "  tls:\n    authorities: \($0)" } ?? "")
            media:
              first_port: \(settings.firstMediaPort)
              last_port: \(settings.firstMediaPort + 99)
              packet: \(settings.packetMilliseconds) ms\(settings.codecLine)
            sound:
              country: \(settings.country)
              period: \(settings.periodMilliseconds) ms
            \(settings.hasHandset ? Self.handset(settings.device ?? card.name) : "")
            \(settings.more)
            """, to: configuration)
    }

    private static func handset(_ device: String) -> String {
        "  handset:\n    capture: \(device)\n    playback: \(device)"
    }

    /// Makes the vault with the program's own command.
    public func makeVault(program: String) throws {
        try run([program, "vault", "init", "--config", configuration])
    }

    /// Adds an account with the program's own command. `more` are further options.
    public func addAccount(
        program: String, label: String, user: String? = nil, server: String, more: [String] = []
    ) throws {
        let user = user.map { ["--user", $0] } ?? []
        try run(
            [program, "account", "add", "--config", configuration] + user + ["--server", server] + more + [label])
    }

    /// Starts the phone; `prefix` may put it on another host.
    public func start(program: String, prefix: [String] = []) throws(ChildProcess.Failure) -> ChildProcess {
        try ChildProcess(
            prefix + [program, "run", "--config", configuration],
            environment: ["ALSA_CONFIG_PATH": card.configuration], log: log)
    }

    private func run(_ arguments: [String]) throws {
        let child = try ChildProcess(arguments, log: log)
        guard child.wait(upTo: .seconds(10)) == .status(0) else {
            throw Failure.command(arguments.joined(separator: " "), log: log)
        }
    }
}
