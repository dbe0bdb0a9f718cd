import Base
import Cryptography
import Lines
import Logging
import Panel
import PhoneCore
import Platform
import Synchronization
import Vault
import YAML

/// Changes what the phone has in effect while it runs: reads the configuration again, and takes other accounts.
///
/// Usable from any thread, but `run` reads files, so not on the control loop.
final class Reloader: Sendable {
    enum Outcome: Sendable {
        /// The changed keys: those in effect now, and those that need a restart.
        case done(applied: [String], restart: [String])
        /// Nothing has changed. All errors, each in one line.
        case refused([String])
    }

    /// What the phone has in effect.
    struct Running: Sendable {
        let settings: Settings
        let accounts: [StoredAccount]
        /// The servers that the backend named for accounts, in place of their own.
        private let servers: [AccountID: AccountServer]
        let plan: LinePlan
        let policy: PhonePolicy
        /// Neither changes before the next start.
        let board: Board
        private let identity: DTLSIdentity

        /// - Throws: The configuration and the accounts do not fit together.
        init(_ settings: Settings, _ stored: Phone.Stored, _ board: Board) throws {
            try self.init(
                settings, stored.accounts, board, stored.identity, servers: LinePlan.servers(of: stored.context),
                after: nil)
        }

        private init(
            _ settings: Settings, _ accounts: [StoredAccount], _ board: Board, _ identity: DTLSIdentity,
            servers: [AccountID: AccountServer], after former: LinePlan?
        ) throws {
            (self.settings, self.accounts, self.servers) = (settings, accounts, servers)
            (self.board, self.identity) = (board, identity)
            plan = try LinePlan(
                accounts: accounts.map { $0.at(servers[$0.id]) }, settings: settings, identity: identity, after: former)
            policy = try settings.policy(plan, board: board.panel)
        }

        /// The same phone with another configuration or other accounts.
        func changed(_ settings: Settings, _ accounts: [StoredAccount]) throws -> Running {
            // An account that has changed has its own server again.
            let kept = servers.filter { server in
                let known = self.accounts.first { $0.id == server.key }
                return known != nil && accounts.contains { $0.id == server.key && $0.account == known?.account }
            }
            return try Running(settings, accounts, board, identity, servers: kept, after: plan)
        }

        /// The same phone with an account at another server.
        func moved(_ account: AccountID, to server: AccountServer?) throws -> Running {
            var servers = servers
            servers[account] = server
            return try Running(settings, accounts, board, identity, servers: servers, after: plan)
        }

        /// What logs, metrics and programs have to know about the accounts.
        var names: AccountNames.Names {
            let elsewhere = accounts.filter { $0.at(servers[$0.id]) != $0 }.map(\.id)
            return .init(labels: plan.accounts.labels, hints: plan.mediaHints, elsewhere: Set(elsewhere))
        }
        /// Each line as it is to be.
        var lines: [AccountID: LineSettings] { plan.settings(watching: policy.watchedNumbers) }
    }

    private let running: Mutex<Running>
    /// Held during a reload, which reads files.
    private let reading = Mutex(())
    private let log: Logger
    private let notifier: SystemdNotifier?
    private let taker = Mutex<(@Sendable (Running) -> Bool)?>(nil)

    init(_ running: Running, log: Logger, notifier: SystemdNotifier?) {
        self.running = Mutex(running)
        (self.log, self.notifier) = (log, notifier)
    }

    /// Called once, before the first change.
    /// - Parameter taker: Passes new values to the machine and the adapters. False: the machine cannot take them.
    func connect(_ taker: @escaping @Sendable (Running) -> Bool) { self.taker.withLock { $0 = taker } }

    private func apply(_ next: Running) -> Bool { taker.withLock { $0 }?(next) ?? false }

    /// The accounts in effect.
    var accounts: [StoredAccount] { running.withLock { $0.accounts } }

    /// Whether the configuration allows these accounts. Quick.
    func check(_ accounts: [StoredAccount]) throws {
        try running.withLock { running in _ = try running.changed(running.settings, accounts) }
    }

    /// Puts these accounts into effect. Quick.
    func use(_ accounts: [StoredAccount]) throws {
        try running.withLock { running in
            let next = try running.changed(running.settings, accounts)
            guard apply(next) else { throw CommandError(Self.tooBusy) }
            running = next
        }
    }

    /// Puts the server that an organisation's credentials name into effect. Quick.
    /// - Parameter server: Nil: the account's own.
    /// - Returns: Whether the account gets another line. It begins to register on the next turn of the control loop.
    func move(_ account: AccountID, to server: AccountServer?) throws -> Bool {
        try running.withLock { running in
            let next = try running.moved(account, to: server)
            let isMoved = next.plan.settings[account] != running.plan.settings[account]
            guard !isMoved || apply(next) else { throw CommandError(Self.tooBusy) }
            running = next
            return isMoved
        }
    }

    private static let tooBusy = "the phone has too many events to handle; try again"

    /// Blocks for the disk. A second reload waits for the first.
    func run() -> Outcome {
        reading.withLock { _ in
            // The service manager waits for READY=1 (sd_notify(3)).
            tell("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now().nanoseconds / 1_000)")
            let outcome = reload()
            tell("READY=1")
            switch outcome {
            case .done([], []): log.notice("configuration read again: nothing has changed")
            case .done(let applied, let restart):
                if !applied.isEmpty { log.notice("configuration changed: \(applied.joined(separator: ", "))") }
                if !restart.isEmpty { log.warning("needs a restart: \(restart.joined(separator: ", "))") }
            case .refused(let errors):
                for error in errors { log.error("the configuration has not changed: \(error)") }
            }
            return outcome
        }
    }

    private func reload() -> Outcome {
        let (settings, labels) = running.withLock { ($0.settings, $0.plan.accounts) }
        let check = ConfigurationCheck(path: settings.file, accounts: labels, readsCertificates: false)
        guard let wanted = check.settings?.document else { return .refused(check.errors.map(\.description)) }
        do {
            let board = try Board.load(path: settings.boardFile)
            return try running.withLock { running in try take(wanted, board, &running) }
        } catch {
            return .refused([
                "\(error)", "the file is right, but it does not fit to the keys that need a restart; restart the phone",
            ])
        }
    }

    private func take(_ wanted: YAMLDocument, _ board: Board, _ running: inout Running) throws -> Outcome {
        let changes = try EffectiveConfiguration(wanted).changes(
            from: EffectiveConfiguration(running.settings.document))
        let root = ReloadTable.merged(wanted.root, running: running.settings.document.root)
        var settings = running.settings
        try settings.take(YAMLDocument(file: wanted.file, root: root))
        let next = try running.changed(settings, running.accounts)
        let applied = changes.filter { ReloadTable.effect(of: $0) == .live }
        var restart = changes.filter { ReloadTable.effect(of: $0) == .restart }.map(\.path)
        if board != running.board, !restart.contains("board") { restart.append("board") }
        guard applied.isEmpty || apply(next) else { return .refused([Self.tooBusy]) }
        running = next
        return .done(applied: applied.map(\.path), restart: restart.sorted())
    }

    private func tell(_ message: String) {
        do throws(CommandError) {
            try notifier?.send(message)
        } catch {
            log.warning("the service manager was not told about the reload: \(error)")
        }
    }
}
