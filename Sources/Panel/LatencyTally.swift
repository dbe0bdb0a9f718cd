import Base
import PhoneCore
import Platform

/// Measures the delay of the panel. A value type. It takes two times from the kernel's time stamp of an edge: until the
/// panel's thread ran, and until the panel posted the event.
///
/// A contact's event comes `debounce` after its last edge by design, so that time is subtracted. A matrix key is
/// measured only when pressed, from the first edge of its column: our own scan makes the later edges. A dial's digit
/// has no edge from which to measure.
package struct LatencyTally: Equatable, Sendable {
    /// Limit of kept samples of each kind, so that a contact that bounces for hours fills no memory.
    package static let most = 20_000
    /// If no key follows a column's first edge within this time, the edge was noise and is forgotten.
    private static let longestTwitch = Duration.seconds(1)

    private struct Move: Hashable, Sendable {
        let line: Int
        let active: Bool
    }

    private let plan: PanelPlan
    private let matrixKeys: Set<Key>
    /// The newest edge of each line to each level, unless an event has used it.
    private var edges: [Move: Instant] = [:]
    private var column: Instant?
    private var keysDown: Set<Key> = []
    /// The times from the kernel's stamp until the panel's thread had the edge.
    package private(set) var awake: [Duration] = []
    /// The times from when the event was due until the panel posted it.
    package private(set) var told: [Duration] = []

    package init(_ board: Board) {
        plan = PanelPlan(board.panel)
        matrixKeys = Set((plan.keypad?.keys ?? []).flatMap { $0 }.compactMap { $0 })
    }

    /// The panel's thread has received these edges now.
    package mutating func woke(_ new: [LineEdge], at now: Instant) {
        for edge in new {
            if plan.keypad?.columns.contains(edge.line) == true {
                guard isFirst(edge) else { continue }
                column = edge.at
            } else {
                edges[Move(line: edge.line, active: edge.active)] = edge.at
            }
            if awake.count < Self.most { awake.append(now - edge.at) }
        }
    }

    /// The panel posted this event now.
    /// - Returns: How late it was, and the subtracted time. Nil: it cannot be measured.
    package mutating func told(_ event: PanelEvent, at now: Instant) -> (late: Duration, debounce: Duration)? {
        guard let (edge, debounce) = origin(of: event) else { return nil }
        let late = now - edge - debounce
        // If the kernel lost the event's edge, `edge` is a later one, and the delay cannot be measured.
        guard late >= .zero else { return nil }
        if told.count < Self.most { told.append(late) }
        return (late, debounce)
    }

    private func isFirst(_ edge: LineEdge) -> Bool {
        guard edge.active, keysDown.isEmpty else { return false }
        return column.map { edge.at - $0 > Self.longestTwitch } ?? true
    }

    private mutating func origin(of event: PanelEvent) -> (edge: Instant, debounce: Duration)? {
        switch event {
        case .hook(let position): contact(.hook, active: position == .offHook)
        case .input(let name, let active): contact(.input(name), active: active)
        case .pressed(let key): matrixKeys.contains(key) ? press(key) : contact(.button(key), active: true)
        case .released(let key): matrixKeys.contains(key) ? release(key) : contact(.button(key), active: false)
        case .hookFound, .failed: nil
        }
    }

    private mutating func contact(
        _ part: PanelPlan.Contact.Part, active: Bool
    ) -> (edge: Instant, debounce: Duration)? {
        guard let contact = plan.contacts.first(where: { $0.part == part }) else { return nil }
        guard let edge = edges.removeValue(forKey: Move(line: contact.line, active: active)) else { return nil }
        // An earlier bounce is not an edge of the next event, whose edge may be lost.
        let other = Move(line: contact.line, active: !active)
        if let bounce = edges[other], bounce < edge { edges[other] = nil }
        return (edge, contact.debounce)
    }

    private mutating func press(_ key: Key) -> (edge: Instant, debounce: Duration)? {
        defer { column = nil }
        keysDown.insert(key)
        guard let column, let timing = plan.keypad?.timing else { return nil }
        return (column, timing.press)
    }

    private mutating func release(_ key: Key) -> (edge: Instant, debounce: Duration)? {
        keysDown.remove(key)
        return nil
    }
}

/// How long something took: a summary of many samples for people.
package struct LatencyFigures: Equatable, Sendable {
    package let count: Int
    package let least: Duration
    package let median: Duration
    /// 99 of 100 took no longer.
    package let percentile99: Duration
    package let most: Duration

    /// Nil: there is no sample.
    package init?(_ samples: [Duration]) {
        let sorted = samples.sorted()
        guard let least = sorted.first, let most = sorted.last else { return nil }
        /// The smallest sample that this percentage of samples do not exceed.
        func rank(_ percent: Int) -> Duration { sorted[(sorted.count * percent + 99) / 100 - 1] }
        (count, self.least, self.most) = (sorted.count, least, most)
        (median, percentile99) = (rank(50), rank(99))
    }
}

extension LatencyFigures: CustomStringConvertible {
    package var description: String {
        func words(_ time: Duration) -> String { "\(time.nanoseconds / 1_000) µs" }
        return "\(count) times: least \(words(least)), median \(words(median)), "
            + "99 % within \(words(percentile99)), most \(words(most))"
    }
}

/// Wraps another backend and reports its edges as soon as the panel's thread has them, with the time of its wake-up.
public final class TimedBackend: PanelBackend {
    private let inner: any PanelBackend
    private let onEdges: @Sendable ([LineEdge], Instant) -> Void

    /// - Parameter onEdges: Called on the panel's thread.
    public init(_ inner: any PanelBackend, onEdges: @escaping @Sendable ([LineEdge], Instant) -> Void) {
        (self.inner, self.onEdges) = (inner, onEdges)
    }

    public func open(_ lines: [LineRequest]) throws(PanelError) { try inner.open(lines) }

    public func isActive(_ line: Int) throws(PanelError) -> Bool { try inner.isActive(line) }

    public func set(_ line: Int, active: Bool) throws(PanelError) { try inner.set(line, active: active) }

    public func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        let edges = try inner.wait(until: deadline)
        if !edges.isEmpty { onEdges(edges, MonotonicClock.now()) }
        return edges
    }

    public func wake() { inner.wake() }

    public func close() { inner.close() }
}
