import Base
import Control
import Lines
import Logging
import NIOCore
import Panel
import PhoneCore

extension Phone {
    /// Writes a line's reports of faults to the log.
    static func reports(to log: Logger, _ labels: [AccountID: String]) -> @Sendable (AccountID, String) -> Void {
        { log.warning("\(labels.name(of: $0)): \($1)") }
    }

    static func extras(
        accounts: [AccountID: String], deviceID: String?,
        askVault: @escaping @Sendable (ActionID, VaultQuestion) -> Void, timeline: BootTimeline, loop: PhoneLoop,
        lines: Lines, eventLoop: any EventLoop, simulation: SimulatedBackend?, log: Logger
    ) -> ControlExtras {
        ControlExtras(
            version: ProgramVersion.text, accounts: accounts, deviceID: deviceID, askVault: askVault,
            bootTimeline: { timeline.json },
            statistics: {
                ["eventsLost": .integer(Int64(loop.lost)), "lines": statistics(of: lines, accounts)]
            },
            panel: simulation.map { controls(of: $0, eventLoop, log) },
            report: { log.notice("control: \($0.sentence)") })
    }

    /// The counters of all lines, by the name of the line.
    private static func statistics(of lines: Lines, _ accounts: [AccountID: String]) -> JSONValue {
        let all = ([.direct] + accounts.keys).compactMap { account in
            lines.counters(of: account).map { (accounts.name(of: account), $0.json) }
        }
        return .object(Dictionary(all) { first, _ in first })
    }

    private static func controls(
        of panel: SimulatedBackend, _ eventLoop: any EventLoop, _ log: Logger
    ) -> SimulatedPanelControls {
        @Sendable func stimulate(_ stimulus: PanelStimulus) throws(PanelRefusal) {
            do {
                try panel.stimulate(stimulus)
            } catch {
                throw PanelRefusal("\(error)")
            }
        }
        return SimulatedPanelControls(
            liftHook: { () throws(PanelRefusal) in try stimulate(.liftHook) },
            replaceHook: { () throws(PanelRefusal) in try stimulate(.replaceHook) },
            pressKey: { (key, hold) throws(PanelRefusal) in
                try stimulate(.press(key.name))
                eventLoop.scheduleTask(in: .nanoseconds(hold.nanoseconds)) {
                    do { try stimulate(.release(key.name)) } catch { log.error("simulated panel: \(error)") }
                }
            },
            setLine: { (name, isHigh) throws(PanelRefusal) in try stimulate(.setLine(name, active: isHigh)) })
    }
}

extension BootTimeline {
    var json: JSONValue {
        let steps = steps.map { step -> JSONValue in
            var members: [String: JSONValue] = [
                "name": .string(step.name), "tookMs": .number(step.took.milliseconds),
            ]
            members["budgetMs"] = step.budget.map { .number($0.milliseconds) }
            return .object(members)
        }
        return .object([
            "steps": .array(steps), "readyMs": untilReady.map { .number($0.milliseconds) } ?? .null,
        ])
    }
}
