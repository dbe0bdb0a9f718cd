import Control
import JSON
import LineCore
import NIOCore
import Panel
import PhoneCore
import Platform
import Synchronization
import Turns

/// Gives adapters that are made before Control access to it, for traces, simulated outputs and effects. Confined to the
/// control loop.
final class ControlHolder: Sendable {
    private let control = Mutex<Control?>(nil)

    /// Called once, when the phone is built.
    func set(_ control: Control) { self.control.withLock { $0 = control } }

    private var current: Control? { control.withLock { $0 } }

    func perform(_ effect: ControlEffect, log: PhoneLog) {
        if case .notice(let notice) = effect { log.tell(notice) }
        current?.perform(effect)
    }

    func describe(_ board: PanelDescription) { current?.describe(board) }

    func answer(_ action: ActionID, _ answer: VaultAnswer) { current?.answer(action, answer) }

    func answer(_ action: ActionID, _ answer: SetupDesk.Answer) { current?.answer(action, answer) }

    var turns: [String: TurnBudget.Statistics] { current?.turns ?? [:] }

    func publish(_ trace: SignalTrace, of account: AccountID) {
        current?.publish(ControlSignal(trace, account))
    }

    func publish(accounts labels: [String]) {
        current?.publish(.accountsChanged, ["accounts": .array(labels.map { .string($0) })], at: MonotonicClock.now())
    }

    func publish(_ output: SimulatedOutput) {
        let name =
            switch output.part {
            case .bell: "ringer"
            case .lamp(let lamp): "lamp.\(lamp.rawValue)"
            case .relay(let number): "relay.\(number)"
            }
        current?.publish(.line, ["line": .string(name), "level": .bool(output.active)], at: output.at)
    }
}
