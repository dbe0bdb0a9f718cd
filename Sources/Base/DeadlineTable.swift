/// What to do at which time, by name. Its minimum arms the one timer of whoever owns the table.
///
/// Setting a name again moves its deadline. Names that fall due together come out in the order in which
/// they were set, so that a run repeats exactly. Cost: O(n) a look; a table holds tens of names, not thousands.
public struct DeadlineTable<Name: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        let name: Name
        let due: Instant
        let order: UInt64
    }

    private var entries: [Entry] = []
    private var order: UInt64 = 0

    public init() {}

    public var isEmpty: Bool { entries.isEmpty }
    public var count: Int { entries.count }

    /// The next instant at which something is due.
    public var earliest: Instant? { next?.due }

    /// Every name that waits, with its instant, in no particular order.
    public var pending: [(name: Name, due: Instant)] { entries.map { ($0.name, $0.due) } }

    public subscript(name: Name) -> Instant? { entries.first { $0.name == name }?.due }

    public mutating func set(_ name: Name, at due: Instant) {
        cancel(name)
        order += 1
        entries.append(Entry(name: name, due: due, order: order))
    }

    public mutating func cancel(_ name: Name) { entries.removeAll { $0.name == name } }

    public mutating func cancelAll(where matches: (Name) -> Bool) { entries.removeAll { matches($0.name) } }

    /// Takes out the earliest name that is due at `now`, or nil. Call until nil.
    public mutating func popDue(at now: Instant) -> Name? {
        guard let next, next.due <= now else { return nil }
        entries.removeAll { $0.order == next.order }
        return next.name
    }

    private var next: Entry? { entries.min { ($0.due, $0.order) < ($1.due, $1.order) } }
}
