import Control
import JSON
import Lines
import Logging
import Media
import NIOCore
import Panel
import PhoneCore
import Platform
import Programs
import Vault

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
            names.set(next.names)
            media.use(next.plan.ice)
            callerInfo.configure(next.settings.broker)
            do throws(SystemFailure) {
                try programs.use(next.settings.configuration.onEvent)
            } catch {
                log.error("on_event: \(error)")
            }
            let description = PanelDescription(next.board, next.policy, next.names.labels)
            eventLoop.execute {
                lines.apply(next.lines)
                backend.use(next.settings)
                control.describe(description)
                if next.policy.asksTheTime { clock.start() }
            }
            return true
        }
    }

    /// Moves an account's line to the server that its organisation's credentials name.
    /// - Returns: False: the effect is another one, or the line stays at its server and has to take the credentials.
    static func moves(_ effect: LineEffect, _ reloader: Reloader, _ lines: Lines, _ loop: PhoneLoop) -> Bool {
        guard case .reconfigure(let account, let credentials) = effect else { return false }
        do {
            let isMoved = try reloader.move(account, to: credentials.server)
            if isMoved { lines.prepare(credentials, for: account) }
            return isMoved
        } catch {
            loop.post(.line(.registration(account, .failed("the account's server cannot be used: \(error)"))))
            return true
        }
    }

    static func accountDesk(
        _ reloader: Reloader, _ vault: Vault, _ loop: PhoneLoop, _ control: ControlHolder, _ eventLoop: any EventLoop,
        _ log: Logger, _ stored: Stored
    ) -> AccountDesk {
        AccountDesk(
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
    var answer: SetupDesk.Answer {
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
