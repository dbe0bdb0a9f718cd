import ArgumentParser
import Base
import Glibc
import Logging
import NIOCore
import NIOPosix
import Platform

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Run the phone.")

    @OptionGroup var phone: ConfigurationOption
    @OptionGroup var eventLogOptions: EventLogOptions

    func run() throws {
        let timeline = BootTimeline(started: MonotonicClock.now())
        // Before any thread exists: every thread inherits the mask, so only `wait` gets these signals.

        let signals = TerminationSignals.block(isPhone: true)
        // Before any secret is in memory.
        let exposure = PrivateMemory.hide()
        let settings = try phone.load().showing(digits: eventLogOptions.showDigits)
        timeline.finish("configuration")
        let log = ProgramLog.make(level: settings.configuration.log)
        if let exposure { log.warning("other programs may read the phone's memory: \(exposure)") }
        if let refusal = MemoryLock.take() {
            log.notice("memory is not locked, so audio may drop out under memory pressure: \(refusal)")
        }
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
