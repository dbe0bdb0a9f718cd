import Base
import Control
import Cryptography
import JSON
import LineCore
import Lines
import Logging
import Media
import NIOCore
import Network
import Panel
import PhoneCore
import Programs
import Turns
import Vault

extension Phone {
    /// Writes the lines' fault reports to the log.
    static func reports(to log: Logger, _ names: AccountNames) -> @Sendable (AccountID, String) -> Void {
        { log.warning("\(names.name(of: $0)): \($1)") }
    }

    /// Warns about each account whose password others can read.
    static func warnOfClearPasswords(_ accounts: [StoredAccount], _ log: Logger) {
        for stored in accounts where stored.account.sendsPasswordInClear && stored.account.allowsClearPassword {
            log.warning("\(stored.account.label): its password is sent unencrypted; --transport wss would encrypt it")
        }
    }

    /// Stores what a line learns about its server's security. Logs when the line rejects something weaker.
    static func trustNews(
        to vault: Vault, _ log: Logger, _ names: AccountNames
    ) -> @Sendable (AccountID, TrustNews) -> Void {
        { account, news in
            let label = names.name(of: account)
            switch news {
            case .learned(let trust):
                // The vault's record is about the account's own server.
                if !names.all.elsewhere.contains(account) { vault.keep(trust, of: account) }
                log.info("\(label): from now on the account \(trust.words)")
            case .refused(let breach):
                log.warning("\(label): \(breach.sentence). \(AccountCommand.ForgetTrust.advice(label))")
            }
        }
    }

    /// Writes reports about programs to the log, which neutralises control characters in their texts.
    static func programReports(to log: Logger) -> @Sendable (ProgramReport) -> Void {
        { log.log(level: $0.isWarning ? .warning : .info, "on_event: \($0.sentence)") }
    }

    /// The panel's backend: the board's chips, or a simulation, which reports its outputs to the control interface.
    static func backend(
        for board: Board, _ control: ControlHolder, _ loop: any EventLoop
    ) -> (any PanelBackend, simulation: SimulatedBackend?) {
        switch board.panel.backend {
        case .simulated:
            let simulated = SimulatedBackend(board: board) { output in loop.execute { control.publish(output) } }
            return (simulated, simulated)
        case .gpiod: return (GPIODBackend(), nil)
        }
    }

    static func display(of board: Board, showing policy: PhonePolicy, _ log: Logger) -> Display? {
        guard let spec = board.panel.display, let content = PhoneMachine(policy: policy).snapshot.display else {
            return nil
        }
        return Display(spec, showing: content) { log.warning("\($0)") }
    }

    /// The watch of the machine's network, unless the configuration disables it. The phone gets its path. The lines get
    /// every change, because the route to a server may differ from the default route.
    static func network(
        _ settings: Settings, _ loop: PhoneLoop, _ lines: Lines, _ callerInfo: CallerInfoSlot, _ backend: BackendLink,
        _ eventLoop: any EventLoop, _ log: Logger
    ) -> Network? {
        guard settings.configuration.network.isWatched else { return nil }
        return Network(
            listening: settings.configuration.sip.addresses, post: { loop.post(.network($0)) },
            stirred: {
                eventLoop.execute {
                    lines.networkStirred()
                    backend.networkStirred()
                }
                callerInfo.networkStirred()
            }, report: { log.warning("network: \($0)") })
    }

    /// What the phone reads from its vault before anything else.
    struct Stored {
        let accounts: [StoredAccount]
        let identity: DTLSIdentity
        /// The organisation that the phone works for. Nil: nobody has signed it in.
        let context: OrganisationContext?
        let deviceID: String?
        let signIn: BackendLink.Memory
    }

    static func read(_ file: inout VaultFile, _ log: Logger) throws -> Stored {
        let accounts = try file.accounts()
        return Stored(
            accounts: accounts, identity: try identity(in: &file, log), context: context(in: file, log),
            deviceID: DeviceInstance.urn(try file.device()), signIn: BackendLink.Memory(file, log))
    }

    /// The organisation that the phone works for. The phone starts without it if it cannot be read, because other
    /// accounts can still be called.
    private static func context(in file: borrowing VaultFile, _ log: Logger) -> OrganisationContext? {
        do throws(VaultError) {
            return try file.context()
        } catch {
            log.error("the vault's organization cannot be read, so its account registers as configured: \(error)")
            return nil
        }
    }

    static func setup(
        _ settings: Settings, _ board: PanelDescription, _ accounts: AccountDesk, _ control: ControlHolder,
        _ reloader: Reloader, _ loop: any EventLoop, _ restart: (@Sendable () -> Void)?
    ) -> SetupDesk {
        SetupDesk(
            .init(
                settings: settings, board: board, accounts: accounts, loop: loop,
                answer: { control.answer($0, $1) }, restart: restart, reload: { reloader.run() }))
    }

    static func extras(
        _ names: AccountNames, deviceID: String?, vault: Vault, control: ControlHolder, timeline: BootTimeline,
        loop: PhoneLoop, lines: Lines,
        monitor: Monitor, programs: Programs, setup: SetupDesk, eventLoop: any EventLoop, board: PanelDescription,
        simulation: SimulatedBackend?, media: Media, backend: BackendLink, faults: PhoneFaults, log: Logger
    ) -> ControlExtras {
        let picture = SignInPicture()
        return ControlExtras(
            version: ProgramVersion.text, accounts: { names.labels }, deviceID: deviceID,
            pushToken: { backend.pushToken },
            askVault: questions(to: vault, answering: control, on: eventLoop),
            setup: SetupControls(ask: { setup.ask($0, $1, $2) }, stop: { setup.stop($0) }),
            board: board, bootTimeline: { timeline.json },
            statistics: {
                [
                    "eventsLost": .integer(Int64(loop.lost)), "levels": media.statistics.levels,
                    "lines": statistics(of: lines, names.labels),
                    "turns": .object(
                        control.turns.merging(lines.turns) { $1 }.merging(["phone": loop.turns]) { $1 }
                            .mapValues(\.json)),
                ]
            },
            metrics: { monitor.page() }, faults: { faults.all },
            takeEvent: { event in programs.tell(event.name) { event.json.text } },
            panel: simulation.map { controls(of: $0, eventLoop, log) }, qrCode: { picture.rows($0) },
            report: { report in
                faults.take(report)
                log.log(level: report.isFault ? .error : .notice, "control: \(report.sentence)")
            })
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
