import Base
import Logging
import Panel
import PhoneCore
import Platform
import Synchronization
import YAML

/// Reads the configuration again while the phone runs, and applies what can change.
///
/// Usable from any thread except the control loop, because it reads files.
final class Reloader: Sendable {
    enum Outcome: Sendable {
        /// The changed keys: those in effect now, and those that need a restart.
        case done(applied: [String], restart: [String])
        /// Nothing has changed. All errors, each in one line.
        case refused([String])
    }

    /// What the phone has in effect.
    struct Running: Sendable {
        var settings: Settings
        var policy: PhonePolicy
    }

    /// What does not change before the next start.
    struct Fixed: Sendable {
        let accounts: AccountLabels
        let board: Board
        let withoutTransfer: Set<AccountID>
    }

    private let running: Mutex<Running>
    private let fixed: Fixed
    private let log: Logger
    private let notifier: SystemdNotifier?
    private let apply: @Sendable (Running) -> Bool

    /// - Parameter apply: Passes the new values to the machine and the adapters. False: the machine cannot take them.
    init(
        _ running: Running, fixed: Fixed, log: Logger, notifier: SystemdNotifier?,
        apply: @escaping @Sendable (Running) -> Bool
    ) {
        self.running = Mutex(running)
        (self.fixed, self.log, self.notifier, self.apply) = (fixed, log, notifier, apply)
    }

    /// Blocks for the disk. A second reload waits for the first.
    func run() -> Outcome {
        running.withLock { running in
            // The service manager waits for READY=1 (sd_notify(3)).
            tell("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now().nanoseconds / 1_000)")
            let outcome = reload(&running)
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

    private func reload(_ running: inout Running) -> Outcome {
        let check = ConfigurationCheck(
            path: running.settings.file, accounts: fixed.accounts, readsCertificates: false)
        guard let wanted = check.settings?.document else { return .refused(check.errors.map(\.description)) }
        do {
            let changes = try EffectiveConfiguration(wanted).changes(
                from: EffectiveConfiguration(running.settings.document))
            var held: [String] = []
            var next = try merge(wanted, running.settings, holding: held)
            if next.policy.watchedNumbers != running.policy.watchedNumbers {
                // The lines subscribe to these numbers at their start.
                held = ReloadTable.watching
                next = try merge(wanted, running.settings, holding: held)
            }
            let applied = changes.filter { ReloadTable.effect(of: $0, holding: held) == .live }
            var restart = changes.filter { ReloadTable.effect(of: $0, holding: held) == .restart }.map(\.path)
            if try Board.load(path: running.settings.boardFile) != fixed.board, !restart.contains("board") {
                restart.append("board")
            }
            guard applied.isEmpty || apply(next) else {
                return .refused(["the phone has too many events to handle; try again"])
            }
            running = next
            return .done(applied: applied.map(\.path), restart: restart.sorted())
        } catch {
            return .refused([
                "\(error)", "the file is right, but it does not fit to the keys that need a restart; restart the phone",
            ])
        }
    }

    private func merge(_ wanted: YAMLDocument, _ running: Settings, holding held: [String]) throws -> Running {
        let root = ReloadTable.merged(wanted.root, running: running.document.root, holding: held)
        var settings = running
        try settings.take(YAMLDocument(file: wanted.file, root: root))
        let policy = try settings.policy(
            accounts: fixed.accounts, board: fixed.board.panel, without: fixed.withoutTransfer)
        return Running(settings: settings, policy: policy)
    }

    private func tell(_ message: String) {
        do throws(CommandError) {
            try notifier?.send(message)
        } catch {
            log.warning("the service manager was not told about the reload: \(error)")
        }
    }
}
