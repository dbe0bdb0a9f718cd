import Base
import Control
import LineCore
import Lines
import Logging
import Media
import NIOCore
import Network
import Panel
import PhoneCore
import Platform
import Programs
import Synchronization
import Vault

/// The whole phone: creates and connects every adapter, in one order and one place.
///
/// An adapter reports events with `post` and carries out effects with `perform`. The order of construction is phase 1
/// of the specification's start. `startLater` does everything that may come later.
final class Phone: Sendable {
    private let settings: Settings
    private let log: Logger
    private let timeline: BootTimeline
    private let eventLoop: any EventLoop
    private let loop: PhoneLoop
    private let vault: Vault
    private let panel: Panel
    /// Nil if the board has no display.
    private let display: Display?
    private let faults: PhoneFaults
    private let lines: Lines
    private let media: Media
    private let control: Control
    /// Runs only if something depends on the time of day. Otherwise an idle phone need not wake every minute.
    private let clock: WallClock
    private let reloader: Reloader
    private let accountChanges: AccountChanges
    /// Nil if the configuration disables it.
    private let network: Network?
    private let callerInfo: CallerInfoSlot
    private let backend: BackendLink
    private let monitor: Monitor
    private let programs: Programs
    private let setup: PageSetup
    private let stopped: EventLoopPromise<Void>

    /// Phase 1: after this an incoming call rings. On the control loop.
    /// - Parameter restart: Ends the phone and starts it again; nil: restarts are not possible.
    init(
        settings: Settings, log: Logger, timeline: BootTimeline, eventLoop: any EventLoop, eventLog: EventLogThread?,
        faults: PhoneFaults = PhoneFaults(), notifier: SystemdNotifier? = nil, restart: (@Sendable () -> Void)? = nil
    ) throws {
        (self.settings, self.log, self.timeline, self.eventLoop) = (settings, log, timeline, eventLoop)
        (self.faults, stopped) = (faults, eventLoop.makePromise())
        let key = try settings.vaultKey()
        var file = try VaultFile.open(settings.vaultFile, key: key, access: .exclusive)
        let stored = try Self.read(&file, log)
        let (accounts, identity) = (stored.accounts, stored.identity)
        timeline.finish("vault", budget: .milliseconds(20))

        let board = try Board.load(path: settings.boardFile)
        let running = try Reloader.Running(settings, stored, board)
        let (plan, policy, names) = (running.plan, running.policy, AccountNames(running.names))
        Self.warnOfClearPasswords(accounts, log)
        let loop = PhoneLoop(policy: policy, loop: eventLoop, eventLog: eventLog)
        vault = Vault(file, post: { loop.post(.vault($0)) }, fault: { faults.set(.storage, $0) })
        let (control, monitor) = (ControlHolder(), Monitor(names, loop: eventLoop, log: log))
        (self.loop, self.monitor) = (loop, monitor)
        programs = try Programs(settings.configuration.onEvent, report: Self.programReports(to: log))
        let (lowest, simulation) = Self.backend(for: board, control, eventLoop)
        panel = Panel(board: board, backend: lowest) { loop.post(.panel($0)) }
        display = Self.display(of: board, showing: policy, log)
        media = Media(
            settings: settings.media(ice: plan.ice), seal: settings.sealsRecordings ? RecordingSeal(key) : nil,
            identity: identity, post: { loop.post(.media($0)) }, notice: { log.notice("sound: \($0)") })
        lines = Lines(
            running.lines, credentials: LinePlan.credentials(of: stored.context), loop: eventLoop,
            post: { event in
                monitor.take(event)
                loop.post(.line(event))
            },
            trace: { control.publish($1, of: $0) }, report: Self.reports(to: log, names),
            trust: Self.trustNews(to: vault, log, names), finished: { [stopped] in stopped.succeed() })
        let description = PanelDescription(board, policy, names.labels)
        let vault = vault
        clock = WallClock(loop: eventLoop) { loop.post(.clock($0)) }
        let reloader = Reloader(running, log: log, notifier: notifier)
        let accountChanges = Self.accountChanges(reloader, vault, loop, control, eventLoop, log, stored)
        (self.reloader, self.accountChanges) = (reloader, accountChanges)
        setup = Self.setup(settings, description, accountChanges, control, reloader, eventLoop, restart)
        callerInfo = CallerInfoSlot(settings.broker, loop, log)
        backend = BackendLink(settings, stored, vault, accountChanges, loop, eventLoop, callerInfo, log)
        self.control = Control(
            settings.control, loop: eventLoop, post: { loop.post(.request($0, $1)) },
            host: Self.controlHost(
                names, deviceID: stored.deviceID, vault: vault, control: control, timeline: timeline, loop: loop,
                lines: lines, monitor: monitor, programs: programs, setup: setup, eventLoop: eventLoop,
                board: description, simulation: simulation, media: media, backend: backend, faults: faults, log: log))
        control.set(self.control)
        network = Self.network(settings, loop, lines, callerInfo, backend, eventLoop, log)
        reloader.connect(changeable(control, names).apply)
        let phoneLog = PhoneLog(log, names)
        loop.start(performing: performer(control, phoneLog))
        timeline.finish("wiring", budget: .milliseconds(30))
        try startPhaseOne(withClock: policy.asksTheTime)
    }

    private func changeable(_ control: ControlHolder, _ names: AccountNames) -> Changeable {
        Changeable(
            loop: loop, eventLoop: eventLoop, log: log, faults: faults, control: control, clock: clock, lines: lines,
            media: media, names: names, programs: programs, callerInfo: callerInfo, backend: backend)
    }

    /// Routes each effect to its adapter.
    private func performer(_ control: ControlHolder, _ phoneLog: PhoneLog) -> (PhoneEffect) -> Void {
        {
            [
                panel, faults, lines, media, vault, accountChanges, callerInfo, backend, monitor, setup, reloader,
                log, unowned loop
            ]
            effect in
            monitor.take(effect)
            switch effect {
            case .panel(let effect): panel.perform(effect)
            case .line(let effect): if !Self.moves(effect, reloader, lines, loop, log) { lines.perform(effect) }
            case .media(let effect):
                setup.giveWay(to: effect)
                media.perform(effect)
            case .vault(let effect):
                vault.perform(effect)
                if case .forgetSignIn = effect { accountChanges.signInForgotten() }
            case .display(let content): faults.show(content)
            case .control(let effect): control.perform(effect, log: phoneLog)
            case .callerInfo(.settled(let ticket, _)): callerInfo.settle(ticket)
            case .backend(let effect): backend.perform(effect)
            // The lines got `shutDown` just before. The program ends when they have finished.
            case .stopped: break
            }
        }
    }

    private func startPhaseOne(withClock needsClock: Bool) throws {
        do {
            try panel.start()
        } catch {
            // A phone without its panel still has calls, and the control interface can answer them.
            // The machine also writes the failure to the log.
            loop.post(.panel(.failed("\(error)")))
        }
        timeline.finish("panel", budget: .milliseconds(20))
        try lines.start()
        if needsClock { clock.start() }
        timeline.finish("sockets", budget: .milliseconds(30))
        timeline.markReady()
    }

    /// Phase 2: everything that an incoming call does not need within half a second. On the control loop.
    func startLater() throws {
        startDisplay()
        rememberBoard()
        try media.configure()
        timeline.finish("audio configuration", budget: .milliseconds(50))
        watchNetwork()
        timeline.finish("network monitor", budget: .milliseconds(20))
        try programs.start()
        callerInfo.start()
        backend.start()
        control.start()
        timeline.finish("control")
        try vault.start()
        timeline.finish("orphaned call")
    }

    /// Records the board for `offhook board reset`, in case this phone is killed.
    private func rememberBoard() {
        do throws(CommandError) {
            try BoardMemory(vaultFile: settings.vaultFile).keep(settings.boardFile)
        } catch {
            log.warning("if the configuration changes, `offhook board reset` will not find this board: \(error)")
        }
    }

    /// Starts the display. The phone works without it, so a failure is only logged.
    private func startDisplay() {
        if let display { faults.start { display.show($0) } }
        do throws(SystemFailure) {
            try display?.start()
        } catch {
            log.warning("display: \(error)")
        }
    }

    /// Starts the network watch. On failure the phone assumes that it has a network, and its lines find their routes
    /// themselves.
    private func watchNetwork() {
        do {
            try network?.start()
        } catch {
            log.warning("network: \(error)")
        }
    }

    /// Reports the phone's state to the service manager. On the control loop.
    /// - Parameter probes: The threads that the watchdog checks.
    func report(to notifier: SystemdNotifier?, asking probes: [ThreadProbe]) {
        monitor.start(
            adding: Self.figures(
                media: media, lines: lines, vault: vault, panel: panel, control: control, programs: programs,
                callerInfo: callerInfo, loop: loop, names: { [monitor] in monitor.names }, timeline: timeline,
                probes: probes))
        monitor.show(to: notifier)
    }

    /// Probes of the threads that the phone needs to work or to keep its data. On the control loop.
    var probes: [ThreadProbe] { [panel.probe, vault.probe] + [network?.probe].compactMap { $0 } + media.probes }

    /// Reads the configuration again. Blocks for the disk; not on the control loop.
    func reload() { _ = reloader.run() }

    /// Whether there is no call. On the control loop.
    var isAtRest: Bool { loop.isAtRest }

    /// Ends all calls and registrations. The future succeeds when every call has ended by BYE and every server knows,
    /// or after `limit`.
    func stop(within limit: TimeAmount) -> EventLoopFuture<Void> {
        setup.close()
        loop.post(.shutDown)
        let alarm = eventLoop.scheduleTask(in: limit) { self.stopped.succeed() }
        stopped.futureResult.whenComplete { _ in alarm.cancel() }
        return stopped.futureResult
    }

    /// Releases everything, in the reverse order of the start. The adapters on the control loop come first, then the
    /// threads.
    func closeLoopAdapters() {
        backend.close()
        control.close()
        lines.close()
    }

    /// - Returns: The hanging threads, which have not ended by the deadline.
    func closeThreads(by deadline: Instant) -> [ThreadRole] {
        // A hanging thread leaves time for the next ones, and the vault gets all the remaining time.
        func soon() -> Instant { min(deadline, MonotonicClock.now() + .milliseconds(400)) }
        var hanging: [ThreadRole] = []
        // The panel first: it may hold a door open.
        if !panel.close(by: soon()) { hanging.append(.panel) }
        if !callerInfo.close(by: soon()) { hanging.append(.callerInfo) }
        backend.closeThread()
        if !(network?.close(by: soon()) ?? true) { hanging.append(.network) }
        if !programs.close(by: soon()) { hanging.append(.programs) }
        hanging += media.close(by: min(deadline, MonotonicClock.now() + .seconds(1)))
        if !(display?.close(by: soon()) ?? true) { hanging.append(.display) }
        if !vault.close(by: deadline) { hanging.append(.vault) }
        return hanging
    }
}
