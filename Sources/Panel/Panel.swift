import Base
import PhoneCore
import Platform
import Synchronization

/// The adapter for the telephone's own switches, keys, lamps and bell.
///
/// It turns contacts into debounced and decoded `PanelEvent`s and carries out `PanelEffect`s. It does all timing on its
/// own thread, which sleeps in the kernel while nothing happens. The owner that starts it closes it.
public final class Panel: Sendable {
    private enum Life {
        case new
        case running(NamedThread)
        case closed
    }

    private let plan: PanelPlan
    private let backend: any PanelBackend
    private let post: @Sendable (PanelEvent) -> Void
    private let orders: PanelOrders
    private let counters = PanelCounters()
    private let life = Mutex(Life.new)

    /// - Parameter post: Called within `start` for `hookFound`, and on the panel's thread after that.
    public init(board: Board, backend: any PanelBackend, post: @escaping @Sendable (PanelEvent) -> Void) {
        plan = PanelPlan(board.panel)
        orders = PanelOrders { backend.wake() }
        self.backend = backend
        self.post = post
    }

    /// Takes the lines, reads the hook and posts `hookFound` before it returns. If the lines are not available, it
    /// posts `failed`, and the running panel tries again. Call it once; takes some milliseconds.
    /// - Throws: If the thread cannot be created.
    public func start() throws(PanelError) {
        var opened = PanelSupervisor(plan, backend: backend, counters: counters, orders: orders, post: post)
        opened.open()
        let supervisor = opened
        let thread: NamedThread
        do throws(SystemFailure) {
            thread = try NamedThread(.panel) {
                var supervisor = supervisor
                supervisor.run()
            }
        } catch {
            throw .broken("\(error)")
        }
        life.withLock { life in
            guard case .new = life else { preconditionFailure("a panel starts once") }
            life = .running(thread)
        }
    }

    /// Counts of the contacts since the panel was made. From any thread.
    public var statistics: PanelStatistics { counters.snapshot }

    /// Probes whether the panel's thread works.
    public var probe: ThreadProbe { orders.probe }

    /// Never blocks; may be called from any thread. The newest order for a part replaces older ones. A silenced bell
    /// stops as soon as the panel's thread runs. Orders given while the lines are lost are carried out when they are
    /// back.
    public func perform(_ effect: PanelEffect) {
        orders.add(effect)
        backend.wake()
    }

    /// Switches all outputs off, releases the lines and ends the thread. Blocks for some milliseconds, and never beyond
    /// the deadline; must not be called from `post`. Does nothing if the panel did not start or is closed.
    /// - Returns: False if the thread hangs and has not switched off its outputs.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        let thread: NamedThread? = life.withLock { life in
            defer { life = .closed }
            switch life {
            case .new, .closed: return nil
            case .running(let thread): return thread
            }
        }
        orders.stop()
        backend.wake()
        return thread?.join(by: deadline) ?? true
    }
}

/// Counts of the panel's contacts since the panel was made.
public struct PanelStatistics: Equatable, Sendable {
    /// Changes of level, including bounces.
    public var edges = 0
    /// Events made from these changes.
    public var events = 0
    /// Turns of the dial without a digit: cut short, too many pulses, or edges lost because the machine stood still.
    public var dialFaults = 0

    public init() {}
}

/// The counters behind `PanelStatistics`, counted by the panel's thread and read by any other.
final class PanelCounters: Sendable {
    private let edges = Atomic<Int>(0)
    private let events = Atomic<Int>(0)
    private let dialFaults = Atomic<Int>(0)

    func count(edges: Int, events: Int) {
        self.edges.wrappingAdd(edges, ordering: .relaxed)
        self.events.wrappingAdd(events, ordering: .relaxed)
    }

    func show(dialFaults: Int) { self.dialFaults.store(dialFaults, ordering: .relaxed) }

    var snapshot: PanelStatistics {
        var copy = PanelStatistics()
        copy.edges = edges.load(ordering: .relaxed)
        copy.events = events.load(ordering: .relaxed)
        copy.dialFaults = dialFaults.load(ordering: .relaxed)
        return copy
    }
}
