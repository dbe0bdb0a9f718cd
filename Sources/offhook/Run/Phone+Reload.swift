import Control
import JSON
import Logging
import NIOCore
import Panel
import PhoneCore

extension Phone {
    /// Everything that takes new values from the configuration while the phone runs.
    struct Changeable: Sendable {
        let loop: PhoneLoop
        let eventLoop: any EventLoop
        let log: Logger
        let faults: PhoneFaults
        let control: ControlHolder
        let clock: WallClock

        /// From any thread.
        /// - Returns: False if the machine cannot take the new policy. Then nothing has changed.
        func apply(_ next: Reloader.Running, _ board: Board, _ labels: [AccountID: String]) -> Bool {
            guard loop.post(.policyChanged(next.policy)) else { return false }
            // All copies of a log share its level.
            var log = log
            log.logLevel = next.settings.configuration.log.loggerLevel
            faults.speak(next.settings.configuration.panel.language)
            let description = PanelDescription(board, next.policy, labels)
            eventLoop.execute {
                control.describe(description)
                if next.policy.asksTheTime { clock.start() }
            }
            return true
        }
    }

    static func reloader(
        _ settings: Settings, _ policy: PhonePolicy, _ plan: LinePlan, _ board: Board, _ parts: Changeable,
        _ notifier: SystemdNotifier?
    ) -> Reloader {
        let labels = plan.accounts.labels
        return Reloader(
            .init(settings: settings, policy: policy),
            fixed: .init(accounts: plan.accounts, board: board, withoutTransfer: plan.withoutTransfer),
            log: parts.log, notifier: notifier
        ) { parts.apply($0, board, labels) }
    }
}

extension Reloader.Outcome {
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
