import Base
import PhoneCore
import Platform
import Synchronization

/// The adapter for a display on an I2C bus.
///
/// It writes on its own thread, which sleeps while nothing changes. It reports once that a display does not answer, and
/// tries again; the phone does not depend on it. The owner that starts it closes it.
public final class Display: Sendable {
    /// The time from one attempt to the next while the display does not answer.
    private static let pause = Duration.seconds(5)

    private struct Pending {
        var content: DisplayContent
        var isClosed = false
    }

    private let spec: DisplaySpec
    private let bus: any DisplayBus
    private let report: @Sendable (String) -> Void
    private let pending: Mutex<Pending>
    private let wake = WakeSignal.atStart()
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - content: What the display shows at first.
    ///   - report: Takes messages for people: that the display fails, or works again. Called on the display's thread.
    public convenience init(
        _ spec: DisplaySpec, showing content: DisplayContent, report: @escaping @Sendable (String) -> Void
    ) {
        self.init(spec, bus: KernelBus(spec), showing: content, report: report)
    }

    package init(
        _ spec: DisplaySpec, bus: any DisplayBus, showing content: DisplayContent,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.spec, self.bus, self.report) = (spec, bus, report)
        pending = Mutex(Pending(content: content))
    }

    /// Starts the display's thread. Called once; does not wait for the display.
    /// - Throws: If the thread cannot be created.
    public func start() throws(SystemFailure) {
        let made = try NamedThread(.display) { [self] in run() }
        thread.withLock { $0 = made }
    }

    /// Never blocks; may be called from any thread. Replaces content that is not written yet.
    public func show(_ content: DisplayContent) {
        pending.withLock { $0.content = content }
        wake.raise()
    }

    /// Switches the display off and ends the thread. Blocks for some milliseconds, or a second if the bus hangs, and
    /// never beyond the deadline.
    /// - Returns: False if the thread hangs.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        pending.withLock { $0.isClosed = true }
        wake.raise()
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        return running?.join(by: deadline) ?? true
    }

    /// Writes the wanted content, on the display's thread, until the display is closed.
    private func run() {
        var painter = DisplayPainter(spec)
        var (isOpen, told) = (false, nil as DisplayError?)
        while let content = wanted() {
            let now = MonotonicClock.now()
            do throws(DisplayError) {
                if !isOpen { try bus.open() }
                isOpen = true
                try write(painter.show(content, at: now))
                if told != nil { report("display: works again") }
                told = nil
            } catch {
                bus.close()
                painter.forget()
                isOpen = false
                if told != error { report("\(error)") }
                told = error
            }
            let due = isOpen ? painter.nextChange(of: content, after: now) : now + Self.pause
            sleep(until: due, hurrying: isOpen)
        }
        end(painter, isOpen: isOpen)
    }

    /// Nil: the display is closed.
    private func wanted() -> DisplayContent? { pending.withLock { $0.isClosed ? nil : $0.content } }

    /// - Parameter hurrying: Whether new content ends the sleep; otherwise only closing does.
    private func sleep(until due: Instant?, hurrying: Bool) {
        repeat {
            wake.wait(until: due)
        } while !hurrying && wanted() != nil && due.map { MonotonicClock.now() < $0 } ?? false
    }

    private func write(_ transfers: [DisplayTransfer]) throws(DisplayError) {
        for transfer in transfers {
            try bus.write(transfer.bytes)
            if transfer.pause > .zero { MonotonicClock.sleep(transfer.pause) }
        }
    }

    private func end(_ painter: DisplayPainter, isOpen: Bool) {
        guard isOpen else { return }
        do throws(DisplayError) {
            try write(painter.stop())
        } catch {
            report("\(error)")
        }
        bus.close()
    }
}

/// Why the display cannot show anything.
public struct DisplayError: Error, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ spec: DisplaySpec, _ reason: String) {
        let digits = String(spec.address, radix: 16)
        description = "display 0x\(digits) on \(spec.bus): \(reason)"
    }
}
