import Base
import Logging
import Monitoring
import NIOCore
import PhoneCore
import Platform

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
