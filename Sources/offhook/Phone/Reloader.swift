import Base
import Control
import Cryptography
import JSON
import Lines
import Logging
import Media
import NIOCore
import Panel
import PhoneCore
import Platform
import Programs
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
                guard let known = self.accounts.first(where: { $0.id == server.key })?.account,
                    var now = accounts.first(where: { $0.id == server.key })?.account
                else { return false }
                // The line learns about the server by itself.
                now.trust = known.trust
                return now == known
            }
            return try Running(settings, accounts, board, identity, servers: kept, after: plan)
        }

        /// The same phone with an account at another server. Nil: the account is at this server already.
        func moved(_ account: AccountID, to server: AccountServer?) throws -> Running? {
            guard let stored = accounts.first(where: { $0.id == account }),
                stored.at(server) != stored.at(servers[account])
            else { return nil }
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
            guard let next = try running.moved(account, to: server) else { return false }
            guard apply(next) else { throw CommandError(Self.tooBusy) }
            running = next
            return true
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

/// Decides for each key of the configuration whether a change takes effect while the phone runs.
package enum ReloadTable {
    package enum Effect: Sendable {
        /// The change takes effect at once.
        case live
        /// The running phone keeps the former value until its next start.
        case restart
    }

    /// Sections, and keys that differ from their section. The longest path that begins a key's path decides.
    package static let entries: [(path: String, effect: Effect)] = [
        ("board", .restart), ("vault", .restart), ("control", .restart), ("sip", .live), ("media", .restart),
        ("sound", .restart), ("backend", .live), ("caller_info", .live), ("calls", .live), ("panel", .live),
        ("paging", .restart), ("network", .live),
        ("relays", .live), ("alarms", .live), ("on_event", .live), ("log", .live),
        // Media and the network's watch use the addresses, too. Broker and backend use the authorities, too.
        ("sip.address", .restart), ("sip.tls.authorities", .restart),
        // The part of the machine or of the lines, in a section whose rest belongs to other adapters.
        ("media.silence_timeout", .live), ("media.codecs", .live), ("media.suites", .live), ("media.packet", .live),
        ("sound.self_test", .live),
        // An adapter's part of a section whose rest belongs to the machine: files, the network's watch.
        ("calls.recording", .restart), ("calls.playing", .restart), ("network.watch", .restart),
    ]

    package static func effect(of key: [YAMLKey.Step]) -> Effect {
        let matching = entries.filter { key.starts(with: steps($0.path)) }
        return matching.max { $0.path.count < $1.path.count }?.effect ?? .restart
    }

    /// The new configuration, with the running values of all keys that need a restart.
    package static func merged(_ new: YAMLNode, running: YAMLNode) -> YAMLNode {
        entries.sorted { $0.path.count < $1.path.count }.reduce(new) { merged, entry in
            let path = steps(entry.path)
            let source = entry.effect == .live ? new : running
            guard let value = source.value(at: path) else { return merged.removing(path) ?? merged }
            return merged.setting(path, to: value) ?? merged
        }
    }

    private static func steps(_ path: String) -> [YAMLKey.Step] {
        path.split(separator: ".").map { .key(String($0)) }
    }
}

extension Phone {
    /// Everything that takes new values from the configuration while the phone runs.
    struct Changeable: Sendable {
        let loop: PhoneLoop
        let eventLoop: any EventLoop
        let log: Logger
        let faults: PhoneFaults
        let control: ControlHolder
        let clock: WallClock
        let lines: Lines
        let media: Media
        let names: AccountNames
        let programs: Programs
        let callerInfo: CallerInfoSlot
        let backend: BackendLink

        /// From any thread.
        /// - Returns: False if the machine cannot take the new policy. Then nothing has changed.
        func apply(_ next: Reloader.Running) -> Bool {
            guard loop.post(.policyChanged(next.policy)) else { return false }
            // All copies of a log share its level.
            var log = log
            log.logLevel = next.settings.configuration.log.loggerLevel
            faults.speak(next.settings.configuration.panel.language)
            media.use(next.plan.ice)
            callerInfo.configure(next.settings.broker)
            do throws(SystemFailure) {
                try programs.use(next.settings.configuration.onEvent)
            } catch {
                log.error("on_event: \(error)")
            }
            let description = PanelDescription(next.board, next.policy, next.names.labels)
            eventLoop.execute {
                names.set(next.names)
                lines.apply(next.lines)
                backend.use(next.settings)
                control.describe(description)
                if next.policy.asksTheTime { clock.start() }
            }
            return true
        }
    }

    /// Moves an account's line to the server that its organisation's credentials name.
    /// - Returns: False: the command is another one, or the line stays at its server and has to take the credentials.
    static func moves(
        _ command: LineCommand, _ reloader: Reloader, _ lines: Lines, _ loop: PhoneLoop, _ log: Logger
    ) -> Bool {
        guard case .reconfigure(let account, let credentials) = command else { return false }
        do {
            let isMoved = try reloader.move(account, to: credentials.server)
            if isMoved { lines.prepare(credentials, for: account) }
            return isMoved
        } catch {
            log.error("the line did not move to another server: \(error)")
            loop.post(.line(.registration(account, .failed("the account's server cannot be used: \(error)"))))
            return true
        }
    }

    static func accountChanges(
        _ reloader: Reloader, _ vault: Vault, _ loop: PhoneLoop, _ control: ControlHolder, _ eventLoop: any EventLoop,
        _ log: Logger, _ stored: Stored
    ) -> AccountChanges {
        AccountChanges(
            .init(
                loop: eventLoop, vault: vault, reloader: reloader, log: log,
                accountsInCall: { loop.accountsInCall }, publish: { control.publish(accounts: $0) }),
            accountOfSignIn: stored.signIn.account)
    }
}

extension Reloader.Outcome {
    /// Whether only a restart puts all of the file into effect.
    var needsRestart: Bool {
        switch self {
        case .done(_, let restart): !restart.isEmpty
        case .refused: true
        }
    }

    /// The answer to the method `reload`.
    var answer: PageSetup.Answer {
        switch self {
        case .done(let applied, let restart):
            let texts = [applied, restart].map { JSONValue.array($0.map { .string($0) }) }
            return .success(["applied": texts[0], "restart": texts[1]])
        case .refused(let errors):
            return .failure(
                RPCError(
                    .notReloaded, errors.joined(separator: "; "),
                    details: ["errors": .array(errors.map { .string($0) })]))
        }
    }
}
