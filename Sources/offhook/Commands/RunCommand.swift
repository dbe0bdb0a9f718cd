import Base
import Commands
import Control
import Cryptography
import EventLog
import Glibc
import Lines
import Logging
import NIOCore
import NIOPosix
import Panel
import Platform
import SecureTransport
import Vault

struct RunCommand {
    static var command: Command {
        Command(
            "run", "Run the phone.", example: "offhook run --config phone/offhook.yaml --record events.jsonl",
            ConfigurationOption.input, EventLogOptions.input
        ) { try RunCommand(phone: $0, eventLogOptions: $1).run() }
    }

    let phone: ConfigurationOption
    let eventLogOptions: EventLogOptions

    private func run() throws {
        let timeline = BootTimeline(started: MonotonicClock.now())
        // Before any thread exists: every thread inherits the mask, so only `wait` gets these signals.
        let signals = TerminationSignals.block(isPhone: true)
        Heap.shareArena()
        // Before any secret is in memory.
        let exposure = PrivateMemory.hide()
        let settings = try phone.load().showing(digits: eventLogOptions.showDigits)
        timeline.finish("configuration")
        let log = ProgramLog.make(level: settings.configuration.log)
        if let exposure { log.warning("other programs may read the phone's memory: \(exposure)") }
        let faults = PhoneFaults(language: settings.configuration.panel.language)
        let eventLog = try eventLogOptions.values.map {
            try EventLogThread($0, tell: { log.warning("\($0)") }, fault: { faults.set(.eventLog, $0) })
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let notifier = SystemdNotifier()
        let running = try loop.submit {
            try Phone(
                settings: settings, log: log, timeline: timeline, eventLoop: loop, eventLog: eventLog,
                faults: faults, notifier: notifier, restart: { TerminationSignals.askForRestart() })
        }.wait()
        Self.tell(notifier, "READY=1", log)
        // Not before READY, because it takes about a millisecond. Sound begins in `startLater`.
        if let refusal = MemoryLock.take() {
            log.notice("memory is not locked, so audio may drop out under memory pressure: \(refusal)")
        }
        try loop.submit { try running.startLater() }.wait()
        let own = ThreadProbe(name: "main", isVital: true) { TerminationSignals.wake() }
        let watchdog = Watchdog(notifier, log: log)
        try loop.submit {
            watchdog.start(on: loop, asking: running.probes + [own], isAtRest: { running.isAtRest })
            running.report(to: notifier, asking: running.probes + [own])
        }.wait()
        log.info("ready after \(((timeline.untilReady?.milliseconds ?? .nan) * 10).rounded() / 10) ms")

        let signal = nextEnd(signals, running, own, log)
        watchdog.stop()
        let restarts = signal == TerminationSignals.restart
        log.info("\(restarts ? "restarting" : "stopping on \(signal)")")
        // After STOPPING=1, the service manager would end the service.
        if !restarts { Self.tell(notifier, "STOPPING=1", log) }
        let outcome = PhoneStop(phone: running, loop: loop, log: log).run()
        eventLog?.close()
        if case .ended = outcome { try group.syncShutdownGracefully() }
        if restarts { try Self.startAgain() }
        // A hanging thread still uses its objects, so they must not be freed.
        if case .hanging(let isStored) = outcome { _exit(isStored ? EXIT_SUCCESS : EXIT_FAILURE) }
    }

    /// Waits for a signal that ends the phone. Reads the configuration again when asked. Refuses a restart after which
    /// the phone could not start.
    private func nextEnd(
        _ signals: TerminationSignals, _ phone: Phone, _ own: ThreadProbe, _ log: Logger
    ) -> String {
        while true {
            let signal = signals.wait(
                ignoring: { log.notice("\($0) ignored; run `offhook ctl reload` to read the configuration again") },
                woken: { own.answer() })
            if signal == TerminationSignals.reload {
                phone.reload()
                continue
            }
            guard signal == TerminationSignals.restart else { return signal }
            do {
                try StartCheck.run(self.phone.config)
                return signal
            } catch {
                log.error("restart refused, because the phone would not start: \(error); it keeps running unchanged")
            }
        }
    }

    /// Executes the same program with the same arguments. The service manager sees the same process.
    private static func startAgain() throws(CommandError) {
        _ = unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
        throw CommandError("the phone cannot restart: \(SystemError.last)")
    }

    /// An unreachable service manager must not stop the telephone, so this only warns.
    private static func tell(_ notifier: SystemdNotifier?, _ message: String, _ log: Logger) {
        do {
            try notifier?.send(message)
        } catch {
            log.warning("\(message) did not reach the service manager: \(error)")
        }
    }
}

/// Options of the event log, which records everything that happens to a running phone.
struct EventLogOptions {
    /// The settings of the event log.
    struct Values: Sendable {
        let path: String
        /// The size limit of a file, in bytes.
        let limit: Int
        let privacy: EventLogPrivacy
    }

    /// Nil: the phone records nothing.
    let values: Values?
    let showDigits: Bool

    static var input: Input<EventLogOptions> {
        .all(
            Parameter.option(
                "record", "Record events into this file, for `offhook replay`. An existing file becomes FILE.1.",
                .file()),
            Parameter.option(
                "record-limit", "Size limit of the event log's file in MiB. The previous one, FILE.1, may be as large.",
                .number(1...1_024)
            ).usual(16),
            Parameter.flag("record-redact", "Replace numbers and names in the event log by placeholders."),
            Parameter.flag(
                "show-digits", "Show digits typed in calls, which may be a PIN, in the event log and `offhook trace`.")
        ) { path, limit, isRedacted, showDigits throws(UsageError) in
            guard path != "" else { throw UsageError("--record needs a file") }
            guard !isRedacted || !showDigits else {
                throw UsageError("give --record-redact or --show-digits, not both")
            }
            guard path != nil || !isRedacted else { throw UsageError("--record-redact needs --record") }
            let privacy = isRedacted ? EventLogPrivacy.everybodyHidden : showDigits ? .nothingHidden : .digitsHidden
            return EventLogOptions(
                values: path.map { Values(path: $0, limit: limit << 20, privacy: privacy) }, showDigits: showDigits)
        }
    }
}

/// Loads everything that a start of the phone loads, while the old phone still runs. Blocks for the disk.
///
/// Without this check, a restart after a mistake in a file would leave no phone at all.
enum StartCheck {
    /// - Throws: The error that would prevent the start, or that would disable a configured part.
    static func run(_ configuration: String) throws {
        let settings = try Settings(path: configuration)
        let board = try Board.load(path: settings.boardFile)
        let vault = try settings.openVault(access: .readOnly)
        let plan = try LinePlan(
            accounts: try vault.accounts(), settings: settings,
            identity: DTLSIdentity.make())
        _ = try settings.policy(plan, board: board.panel)
        let tls = settings.tls(pin: nil, isFirst: true)
        let trust = tls.authorities.map { TLSContext.Trust.authorities(file: $0) } ?? .system
        _ = try TLSContext(.client, trust: trust, files: tls.identity)
        if let files = settings.control.http?.identity { _ = try TLSContext(.server, trust: .anybody, files: files) }
    }
}

/// Stops a running phone within the service manager's limit (`TimeoutStopSec=5`). This holds even if a library's
/// thread, a disk or the control loop hangs. Parts that still work end as usual.
struct PhoneStop {
    /// How long calls may take to end by BYE. With the steps that follow it stays below 2 s.
    private static let endOfCalls = TimeAmount.milliseconds(1_700)
    /// When the control loop counts as hanging.
    private static let loopLimit = Duration.milliseconds(2_200)
    private static let limit = Duration.milliseconds(4_200)

    let phone: Phone
    let loop: any EventLoop
    let log: Logger

    enum Outcome {
        case ended
        /// A thread hangs. The program must end without freeing anything that this thread may use.
        /// - Parameter isStored: Whether the vault has stored everything on its disk.
        case hanging(isStored: Bool)
    }

    /// Blocks for some milliseconds if nothing hangs and there is no call.
    func run() -> Outcome {
        let began = MonotonicClock.now()
        let loopWorks = endOnLoop(by: began + Self.loopLimit)
        if !loopWorks { log.error("the control loop does not answer, so calls may continue at the far end") }
        let hanging = phone.closeThreads(by: began + Self.limit)
        for thread in hanging { log.error("the thread \(thread.rawValue) hangs; the program ends without it") }
        return loopWorks && hanging.isEmpty ? .ended : .hanging(isStored: !hanging.contains(.vault))
    }

    /// Ends calls and registrations, then the adapters on the control loop.
    /// - Returns: False if the loop does not finish in time.
    private func endOnLoop(by deadline: Instant) -> Bool {
        let done = WakeSignal.atStart()
        let end = phone.stop(within: Self.endOfCalls).map { phone.closeLoopAdapters() }
        end.whenComplete { _ in done.raise() }
        done.wait(until: deadline)
        return MonotonicClock.now() < deadline
    }
}
