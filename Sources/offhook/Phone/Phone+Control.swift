import Base
import Control
import JSON
import LineCore
import Lines
import Logging
import Media
import NIOCore
import Panel
import PhoneCore
import Platform
import Programs
import SIPCore
import SoundCore
import Synchronization
import Turns
import Vault

extension Phone {
    static func setup(
        _ settings: Settings, _ board: PanelDescription, _ accounts: AccountChanges, _ control: ControlHolder,
        _ reloader: Reloader, _ loop: any EventLoop, _ restart: (@Sendable () -> Void)?
    ) -> PageSetup {
        PageSetup(
            .init(
                settings: settings, board: board, accounts: accounts, loop: loop,
                answer: { control.answer($0, $1) }, restart: restart, reload: { reloader.run() }))
    }

    static func controlHost(
        _ names: AccountNames, deviceID: String?, vault: Vault, control: ControlHolder, timeline: BootTimeline,
        loop: PhoneLoop, lines: Lines,
        monitor: Monitor, programs: Programs, setup: PageSetup, eventLoop: any EventLoop, board: PanelDescription,
        simulation: SimulatedBackend?, media: Media, backend: BackendLink, faults: PhoneFaults, log: Logger
    ) -> ControlHost {
        let picture = SignInPicture()
        return ControlHost(
            version: ProgramVersion.text, accounts: { names.labels }, deviceID: deviceID,
            pushToken: { backend.pushToken },
            askVault: questions(to: vault, answering: control, on: eventLoop),
            setup: SetupControls(ask: { setup.ask($0, $1, $2) }, stop: { setup.stop($0) }),
            board: board, bootTimeline: { timeline.json }, log: logLines(of: log),
            statistics: {
                [
                    "eventsLost": .integer(Int64(loop.lost)), "levels": media.statistics.levels,
                    "lines": statistics(of: lines, names.labels),
                    "turns": .object(
                        control.turns.merging(lines.turns) { $1 }.merging(["phone": loop.turns]) { $1 }
                            .mapValues(\.json)),
                ]
            },
            metrics: { monitor.page() }, faults: { faults.all }, displays: { loop.displays },
            takeEvent: { event in programs.tell(event.name) { event.json.text } },
            panel: simulation.map { controls(of: $0, eventLoop, log) }, qrCode: { picture.rows($0) },
            report: { report in
                faults.take(report)
                log.log(level: report.isFault ? .error : .notice, "control: \(report.sentence)")
            })
    }

    /// The phone's last log lines.
    private static func logLines(of log: Logger) -> @Sendable (Int64) -> JSONValue {
        let memory = (log.handler as? StandardErrorLog)?.memory ?? LogMemory()
        return { memory.json(after: $0) }
    }

    /// Asks the vault, which answers from its own thread.
    private static func questions(
        to vault: Vault, answering control: ControlHolder, on loop: any EventLoop
    ) -> @Sendable (ActionID, VaultQuestion) -> Void {
        { action, question in
            vault.ask(question) { answer in loop.execute { control.answer(action, answer) } }
        }
    }

    /// The counters of all lines, by line name.
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

    func answer(_ action: ActionID, _ answer: PageSetup.Answer) { current?.answer(action, answer) }

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

extension ControlSignal {
    /// Copies only the masked message, which has no secrets.
    init(_ trace: SignalTrace, _ account: AccountID) {
        let (local, remote) = (trace.flow.local, trace.flow.remote)
        let direction: Direction =
            switch trace.direction {
            case .sent: .sent
            case .received: .received
            }
        self.init(
            at: trace.at, account: account, direction: direction, transport: trace.flow.transport.rawValue,
            local: (local.host, local.port), remote: (remote.host, remote.port), message: trace.masked)
    }
}

extension PanelDescription {
    init(_ board: Board, _ policy: PhonePolicy, _ labels: [AccountID: String]) {
        let panel = board.panel
        let lines = zip(Key.lineKeys, policy.lineKeys).map { (Key.line($0), labels.name(of: $1)) }
        let dials = policy.speedDials.compactMap { number, dial in
            dial.targets.first.map { (Key.speedDial(number), $0) }
        }
        let pages = zip(Key.pages, policy.paging?.groups ?? []).filter { $1.longestSent != nil }.map { number, group in
            (Key.page(number), group.label)
        }
        let organizations = (policy.organisationKeys ?? [:]).map { (Key.speedDial($0), $1.rawValue) }
        let voicemail = policy.voicemail[policy.defaultAccount].map { (Key.voicemail, $0) }
        let meanings = lines + dials + organizations + pages + [voicemail].compactMap(\.self)
        self.init(
            name: board.name, isSimulated: panel.backend == .simulated, hasHook: panel.hook != nil,
            hasBell: panel.bell != nil, keys: Array(panel.allKeys), lamps: panel.lamps.map(\.key),
            meanings: Dictionary(meanings) { first, _ in first }, organizationKeys: Set(organizations.map(\.0)))
    }
}

extension LineCounters {
    /// The counters in the form of `getStatistics`.
    var json: JSONValue {
        .object([
            "garbage": count(garbage), "limited": count(limited), "oversized": count(oversized),
            "malformed": count(malformed), "strangers": count(strangers), "unmatched": count(unmatched),
            "refused": count(refused),
            "strayKeepAlives": count(strayKeepAlives), "unsent": count(unsent), "untrusted": count(untrusted),
            "reopenings": count(reopenings),
        ])
    }

    private func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }
}

extension MediaStatistics {
    /// The levels of microphone and playback device, in dB relative to full scale; null for silence.
    var levels: JSONValue { ["microphone": Self.decibels(captureLevel), "playback": Self.decibels(playbackLevel)] }

    private static func decibels(_ level: Int) -> JSONValue {
        level > 0 ? .integer(Int64(Decibels.level(Double(level) / 32_768).rounded())) : nil
    }
}

extension TurnBudget.Statistics {
    /// The statistics in the form of `getStatistics`.
    var json: JSONValue {
        [
            "pieces": .integer(Int64(pieces)), "delayed": .integer(Int64(delayed)),
            "waiting": .integer(Int64(waiting)), "mostInTurn": .integer(Int64(mostInTurn)),
            "longestTurnMs": .number(longestTurn.milliseconds),
        ]
    }
}
