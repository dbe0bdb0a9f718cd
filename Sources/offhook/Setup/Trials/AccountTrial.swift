import Base
import Cryptography
import LineCore
import Lines
import NIOCore
import NIOPosix
import PhoneCore
import SIPCore
import Synchronization
import Vault

/// Registers an account with one of the phone's lines, then removes the registration. Blocks.
struct AccountTrial {
    /// How long the server may take to answer. A phone waits longer, and retries.
    private static let timeout = TimeAmount.seconds(12)
    /// How long the server may take to remove the registration.
    private static let gracePeriod = TimeAmount.seconds(2)

    private let account: Account
    private let line: LineSettings
    private let identifier: AccountID

    /// - Parameters:
    ///   - account: One of `stored`, or one with an unused identifier and label.
    ///   - stored: All accounts, because the configuration may name them.
    init(_ account: StoredAccount, among stored: [StoredAccount], settings: Settings) throws {
        // A trial makes no calls, so any certificate works.
        let plan = try LinePlan(
            accounts: stored.filter { $0.id != account.id } + [account], settings: settings, identity: .make())
        guard var line = plan.settings[account.id] else { throw CommandError("no line for \(account.account.label)") }
        // A running phone may use the configured ports.
        (line.port, line.tls.port) = (0, nil)
        line.configuration.watches = []
        (self.account, self.line, identifier) = (account.account, line, account.id)
    }

    /// - Parameter stop: Ends the trial early. Then the verdict says nothing about the server.
    func run(until stop: TrialStop = TrialStop()) throws -> RegistrationVerdict {
        guard account.registers else { return .notNeeded }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let verdict = Result { try self.verdict(on: loop, stop) }
        try group.syncShutdownGracefully()
        return try verdict.get()
    }

    private func verdict(on loop: any EventLoop, _ stop: TrialStop) throws -> RegistrationVerdict {
        let heard = Heard()
        let state = try register(on: loop, heard, stop)
        guard !stop.isStopped else { return .other("the trial was cancelled") }
        switch state {
        case .registered, .notNeeded: return .registered
        // A server that asks for the password and then is silent has not rejected it.
        case .registering, .disconnected: break
        case .failed(let why):
            if let breach = heard.breach {
                return .other("\(breach.sentence). \(AccountCommand.forgetTrustAdvice(account.label))")
            }
            if let answer = heard.response, !answer.status.isSuccess {
                return .refused(status: answer.status.code, phrase: answer.phrase)
            }
            return try RegistrationDiagnosis(account: account, line: line, loop: loop).verdict().overWebSocket(
                account.transport.isWebSocket ? why : nil)
        }
        return try RegistrationDiagnosis(account: account, line: line, loop: loop).verdict()
    }

    /// The final state of the registration, or the last one before the timeout.
    private func register(
        on loop: any EventLoop, _ heard: Heard, _ stop: TrialStop
    ) throws -> RegistrationState {
        let (settled, finished) = (loop.makePromise(of: RegistrationState.self), loop.makePromise(of: Void.self))
        let alarm = loop.scheduleTask(in: Self.timeout) { settled.succeed(.registering) }
        let late = loop.scheduleTask(in: Self.timeout + Self.gracePeriod) { finished.succeed() }
        stop.set { settled.succeed(.registering) }
        defer {
            stop.set(nil)
            alarm.cancel()
            late.cancel()
        }
        let lines: Lines
        do {
            lines = try loop.submit { [identifier, line] in
                let lines = Lines(
                    [identifier: line], loop: loop,
                    post: { event in
                        guard case .registration(_, let state) = event, state != .registering else { return }
                        settled.succeed(state)
                    },
                    trace: { _, trace in heard.take(trace) }, report: { _, _ in },
                    trust: { _, news in heard.take(news) }, finished: { finished.succeed() })
                try lines.start()
                return lines
            }.wait()
        } catch {
            // An unfulfilled promise must not be dropped.
            settled.succeed(.registering)
            finished.succeed()
            throw error
        }
        let state = try settled.futureResult.wait()
        try loop.submit { lines.perform(.shutDown) }.wait()
        try finished.futureResult.wait()
        try loop.submit { lines.close() }.wait()
        return state
    }
}

/// The server's last response, and the last downgrade that the line has rejected. From any thread.
private final class Heard: Sendable {
    private let last = Mutex<SIPResponse?>(nil)
    private let refused = Mutex<TrustBreach?>(nil)

    var response: SIPResponse? { last.withLock { $0 } }
    var breach: TrustBreach? { refused.withLock { $0 } }

    func take(_ news: TrustNews) {
        if case .refused(let breach) = news { refused.withLock { $0 = breach } }
    }

    func take(_ trace: SignalTrace) {
        guard trace.direction == .received, case .response(let response)? = try? SIPMessage(trace.masked.span) else {
            return
        }
        last.withLock { $0 = response }
    }
}

/// Finds out why a server did not answer a registration. Checks its name, its port and its certificate.
struct RegistrationDiagnosis {
    let account: Account
    let line: LineSettings
    let loop: any EventLoop

    private var server: ServerExamination { ServerExamination(loop: loop, nameServers: line.nameServers) }
    private var port: UInt16 { line.configuration.account?.server.port ?? 5_060 }
    private var isSecure: Bool { account.transport == .tls || account.transport == .wss }
    /// The names of which the certificate must contain one. The line checks the same.
    private var names: [String] {
        [account.host] + [account.domain].compactMap(\.self).filter { $0 != account.host }
    }

    func verdict() throws(LinesError) -> RegistrationVerdict {
        switch server.lookUp(account.host) {
        case .unknown: return .nameUnknown(account.host)
        case .silence: return .nameServiceSilent(account.host)
        case .found(let addresses):
            guard let (address, connection) = server.connect(toAnyOf: addresses, port: port) else {
                return .nameUnknown(account.host)
            }
            return try verdict(at: address, connection)
        }
    }

    private func verdict(
        at address: String, _ connection: ConnectionFinding
    ) throws(LinesError) -> RegistrationVerdict {
        guard account.transport != .udp, account.transport != .auto else {
            if case .unreachable(let why) = connection { return .unreachable(why) }
            return .silent(takesConnections: connection == .open)
        }
        switch connection {
        case .refused: return .connectionRefused
        case .silence: return .silent(takesConnections: false)
        case .unreachable(let why): return .unreachable(why)
        case .open: break
        }
        let finding = try server.secure(at: address, port: port, for: names, line.tls)
        return isSecure ? verdict(of: finding) : verdict(inClear: finding)
    }

    /// If the server accepts a TLS handshake on an unencrypted transport, it expects TLS there.
    private func verdict(inClear finding: SecureFinding) -> RegistrationVerdict {
        switch finding {
        case .trusted, .otherName, .untrusted, .outOfDate, .oldVersion: .speaksTLS
        case .notSecure, .unconnected: .silent(takesConnections: false)
        }
    }

    private func verdict(of finding: SecureFinding) -> RegistrationVerdict {
        switch finding {
        case .trusted: .silent(takesConnections: false)
        case .otherName(let names, let shown): .otherName(names, shown)
        case .untrusted(_, let shown) where line.tls.fingerprint != nil && line.tls.fingerprint != shown:
            .otherPin(shown)
        case .untrusted(let why, let shown): .unknownAuthority(Self.reason(why), shown)
        case .outOfDate(let why, let shown): .outOfDate(Self.reason(why), shown)
        case .oldVersion: .speaksOldTLS
        case .notSecure: .speaksNoTLS
        case .unconnected: .connectionRefused
        }
    }

    /// The fault of the certificate: the last part of the TLS library's error.
    private static func reason(_ words: String) -> String {
        guard let colon = words.lastIndex(of: ":") else { return words }
        return String(words[words.index(after: colon)...].drop { $0 == " " })
    }
}

/// The result of an account's trial, for a person without knowledge of SIP.
package enum RegistrationVerdict: Equatable, Sendable {
    case registered
    /// The account does not register, so there is nothing to try.
    case notNeeded
    /// The server's rejection of the registration.
    case refused(status: Int, phrase: String)
    case nameUnknown(String)
    case nameServiceSilent(String)
    /// Nothing answers. `takesConnections`: the same port accepts TCP connections.
    case silent(takesConnections: Bool)
    case connectionRefused
    case unreachable(String)
    /// The account's transport is not encrypted, but the server expects TLS.
    case speaksTLS
    /// The account uses TLS, but the server does not.
    case speaksNoTLS
    /// The server supports only versions of TLS before 1.2.
    case speaksOldTLS
    case otherName([String], Fingerprint)
    case unknownAuthority(String, Fingerprint)
    /// Expired, or not valid yet. The machine's clock may be wrong.
    case outOfDate(String, Fingerprint)
    /// The certificate is not the pinned one; its fingerprint follows.
    case otherPin(Fingerprint)
    /// Another reason, in the text that the line reports.
    case other(String)

    package var isGood: Bool { self == .registered || self == .notNeeded }

    /// The verdict for an account over a WebSocket, whose line has reported a reason. Nil: another kind of account.
    func overWebSocket(_ why: String?) -> Self {
        guard let why else { return self }
        return switch self {
        // A server answers there, but opens no WebSocket.
        case .silent: .other(why)
        case .speaksTLS: .other("the server expects TLS at this port: choose wss")
        case .speaksNoTLS: .other("the server does not use TLS at this port: check the port, or choose ws")
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .connectionRefused, .unreachable,
            .speaksOldTLS, .otherName, .unknownAuthority, .outOfDate, .otherPin, .other:
            self
        }
    }

    package func sentence(_ server: String) -> String {
        switch self {
        case .registered: "Registered at \(server)."
        case .notNeeded: "The account does not register, so nothing was tried."
        case .refused(let status, let phrase): Self.refusal(status, phrase)
        case .nameUnknown(let name):
            "The name \(name) does not exist. Check its spelling."
        case .nameServiceSilent(let name):
            "No name server answers, so \(name) was not found. Check this machine's network and /etc/resolv.conf."
        case .silent(false): "\(server) does not answer. Check the address, and that no firewall blocks it."
        case .silent(true):
            "\(server) does not answer over UDP, but accepts TCP connections. Try tcp or tls as the transport."
        case .connectionRefused:
            "\(server) is up, but nothing listens at this port for this transport. "
                + "Check the port, or try another transport."
        case .unreachable(let why): "This machine cannot reach \(server): \(why)."
        case .speaksTLS: "\(server) expects TLS at this port. Choose tls."
        case .speaksNoTLS:
            "\(server) does not use TLS at this port. Check the port (for TLS mostly 5061), or choose udp or tcp."
        case .speaksOldTLS:
            "\(server) supports only TLS older than 1.2, which is not safe. For "
                + "Asterisk, set method=tlsv1_2 in its transport."
        case .otherName(let names, _):
            "The certificate is trusted but belongs to another name: "
                + "\(Self.list(names)). If that is the server, use that name."
        case .unknownAuthority(let why, _):
            "No authority that this machine trusts has signed the server's certificate (\(why))."
        case .outOfDate(let why, _): "The server's certificate is not valid now (\(why)). \(Self.clock)"
        case .otherPin: "The server shows a certificate that differs from the pinned one."
        case .other(let why): "The registration failed: \(why)."
        }
    }

    /// The certificate that a person may decide to trust by its fingerprint.
    package var fingerprint: Fingerprint? {
        switch self {
        case .otherName(_, let shown), .unknownAuthority(_, let shown), .outOfDate(_, let shown), .otherPin(let shown):
            shown
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .silent, .connectionRefused,
            .unreachable, .speaksTLS, .speaksNoTLS, .speaksOldTLS, .other:
            nil
        }
    }

    private static func refusal(_ status: Int, _ phrase: String) -> String {
        let said = "(\(status) \(phrase.shown(bytes: 64)))"
        return switch status {
        case 401, 407: "The server rejects the password or the user \(said). Check both."
        case 403: "The server forbids the registration \(said). Check user, password and the account's rights."
        case 404, 604: "The server does not know this user or this domain \(said)."
        case 423: "The server wants longer registrations than this phone requests \(said)."
        case 488, 606: "The server does not accept this phone's parameters \(said)."
        case 500..<600: "The server cannot register the phone now \(said). Try again later."
        default: "The server rejects the registration \(said)."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.prefix(4).map { $0.shown(bytes: 64) }.joined(separator: ", ")
    }

    private static let clock = "Check this machine's clock (date)."
}
