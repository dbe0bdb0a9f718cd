import Base
import Control
import Lines
import Logging
import Media
import Monitoring
import NIOCore
import Panel
import PhoneCore
import Platform
import Programs
import Vault

/// Counts the phone's events, and reports them to Prometheus and to the service manager. Confined to the control loop.
final class Monitor: Sendable {
    private struct Confined {
        var figures = PhoneFigures()
        var writeMore: (inout MetricPage) -> Void = { _ in }
        var notifier: SystemdNotifier?
        var pacer = StatusPacer()
        var alarm: Scheduled<Void>?
    }

    private let labels: AccountNames
    private let loop: any EventLoop
    private let log: Logger
    private let confined: NIOLoopBoundBox<Confined>

    init(_ labels: AccountNames, loop: any EventLoop, log: Logger) {
        (self.labels, self.loop, self.log) = (labels, loop, log)
        confined = .makeBoxSendingValue(Confined(), eventLoop: loop)
    }

    /// The lines' names, on request.
    var names: LineNames { LineNames(labels.labels) }

    /// - Parameter write: Adds the adapters' own counters to the page.
    func start(adding write: @escaping (inout MetricPage) -> Void) { confined.value.writeMore = write }

    /// Starts to report the phone's state to the service manager.
    func show(to notifier: SystemdNotifier?) {
        confined.value.notifier = notifier
        showStatus()
    }

    /// All metrics for Prometheus, computed only on request.
    func page() -> String {
        var page = MetricPage()
        confined.value.figures.write(to: &page, names: names)
        confined.value.writeMore(&page)
        return page.text
    }

    func take(_ event: LineEvent) {
        guard case .offered(let call, let caller) = event else { return }
        confined.value.figures.offered(call, arrived: caller.arrived ?? MonotonicClock.now())
    }

    func take(_ effect: PhoneEffect) {
        switch effect {
        case .control(.notice(let notice)):
            confined.value.figures.take(notice, at: MonotonicClock.now())
            showStatus()
        case .line(.alert(let call)): confined.value.figures.announced(call, at: MonotonicClock.now())
        case .line(.refuse(let call, _)): confined.value.figures.turnedDown(call)
        case .panel, .line, .media, .vault, .callerInfo, .backend, .control, .display, .stopped: break
        }
    }

    private func showStatus() {
        guard let notifier = confined.value.notifier else { return }
        let status = confined.value.figures.status(names: names)
        if let text = confined.value.pacer.handle(status, at: MonotonicClock.now()) {
            do {
                try notifier.send("STATUS=\(text)", mayWait: false)
            } catch {
                log.warning("cannot send STATUS= to the service manager: \(error)")
            }
        }
        guard let due = confined.value.pacer.deadline, confined.value.alarm == nil else { return }
        let wait = max(.zero, due - MonotonicClock.now())
        confined.value.alarm = loop.scheduleTask(in: .nanoseconds(wait.nanoseconds)) {
            self.confined.value.alarm = nil
            self.showStatus()
        }
    }
}

extension Phone {
    /// Adds the counters of the adapters and the program to a page. On the control loop; takes some hundred
    /// microseconds and never waits.
    static func figures(
        media: Media, lines: Lines, vault: Vault, panel: Panel, control: Control, programs: Programs,
        callerInfo: CallerInfoSlot, loop: PhoneLoop, names: @escaping @Sendable () -> LineNames, timeline: BootTimeline,
        probes: [ThreadProbe]
    ) -> (inout MetricPage) -> Void {
        // Read the time once: if a board's clock is set later, a new value would look like another start.
        let started = Double(RealTimeClock.now()) / 1e9
        return { page in
            let answers = probes.filter(\.isVital).map { $0.lastAnswer ?? timeline.started }
            page.add(ProcessFigures(), started: started, timeline: timeline, eventsLost: loop.lost)
            page.add(media.statistics, lastAnswer: answers.min() ?? timeline.started)
            let names = names()
            for account in names.accounts {
                if let counters = lines.counters(of: account) { page.add(counters, name: names[account]) }
            }
            page.add(vault.statistics)
            page.add(panel.statistics)
            page.add(control.statistics)
            page.add(programs.statistics)
            if let statistics = callerInfo.statistics { page.add(statistics) }
        }
    }
}

extension MetricPage {
    fileprivate mutating func add(_ process: ProcessFigures, started: Double, timeline: BootTimeline, eventsLost: Int) {
        add(.buildInfo, 1, ProgramVersion.text)
        add(.startTime, started)
        add(.processorTime, process.processorTime)
        add(.residentMemory, process.residentBytes)
        add(.anonymousMemory, process.anonymousBytes)
        if let ready = timeline.untilReady { add(.readyAfter, Double(ready.nanoseconds) / 1e9) }
        add(.wakeups, process.wakeups)
        add(.eventsLost, eventsLost)
    }

    fileprivate mutating func add(_ media: MediaStatistics, lastAnswer: Instant) {
        add(.soundFaults, media.captureOverruns, "capture")
        add(.soundFaults, media.playbackUnderruns, "playback")
        add(.soundPeriods, media.periodsCaptured, "capture")
        add(.soundPeriods, media.periodsPlayed, "playback")
        add(.devicesLost, media.devicesLost)
        add(.watchdogAge, Double((MonotonicClock.now() - lastAnswer).nanoseconds) / 1e9)
        add(.packets, media.packetsSent, "sent")
        add(.packets, media.packetsReceived, "received")
        add(.packetsDiscarded, media.sendFailures, "sendFailure")
        add(.packetsDiscarded, media.strangers, "stranger")
        add(.packetsDiscarded, media.unauthenticated, "unauthenticated")
        add(.packetsDiscarded, media.replayed, "replayed")
        add(.packetsDiscarded, media.malformed, "malformed")
        add(.packetsDiscarded, media.overflows, "overflow")
        add(.packetsDiscarded, media.undecodable, "undecodable")
        add(.mediaMessagesLost, media.messagesLost)
        add(.recordingsFailed, media.recordingsFailed)
    }

    fileprivate mutating func add(_ line: LineCounters, name: String) {
        add(.lineDiscarded, line.garbage, name, "garbage")
        add(.lineDiscarded, line.limited, name, "limited")
        add(.lineDiscarded, line.oversized, name, "oversized")
        add(.lineDiscarded, line.malformed, name, "malformed")
        add(.lineDiscarded, line.strangers, name, "stranger")
        add(.lineDiscarded, line.unmatched, name, "unmatched")
        add(.lineDiscarded, line.refused, name, "refused")
        add(.lineDiscarded, line.strayKeepAlives, name, "strayKeepAlive")
        add(.lineDiscarded, line.untrusted, name, "untrusted")
        add(.lineUnsent, line.unsent, name)
        add(.lineReopenings, line.reopenings, name)
    }

    fileprivate mutating func add(_ vault: VaultStatistics) {
        add(.vaultWriteTime, count: vault.writes + vault.failures, sum: Double(vault.writing.nanoseconds) / 1e9)
        add(.vaultFailures, vault.failures)
    }

    fileprivate mutating func add(_ panel: PanelStatistics) {
        add(.panelEdges, panel.edges)
        add(.panelEvents, panel.events)
        add(.panelDialFaults, panel.dialFaults)
    }

    fileprivate mutating func add(_ control: ControlStatistics) {
        add(.controlConnections, control.connections)
        add(.controlRequests, control.requests)
        add(.controlRefused, control.peersRefused, "peer")
        add(.controlRefused, control.connectionsRefused, "tooManyConnections")
        add(.controlRefused, control.slowReadersDropped, "slowReader")
        add(.controlRefused, control.overlongLines, "overlongLine")
        add(.controlRefused, control.malformedLines, "malformedLine")
        add(.controlRefused, control.http.refused, "http")
    }

    fileprivate mutating func add(_ programs: ProgramStatistics) {
        add(.programsStarted, programs.started)
        for failure in ProgramStatistics.Failure.allCases {
            add(.programsFailed, programs.failed[failure] ?? 0, failure.rawValue)
        }
        for limit in ProgramStatistics.Limit.allCases {
            add(.programEventsDropped, programs.dropped[limit] ?? 0, limit.rawValue)
        }
    }
}
