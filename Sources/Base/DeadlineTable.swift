/// What to do at which time, by name. Its minimum arms the one timer of whoever owns the table.
///
/// Setting a name again moves its deadline. Names that fall due together come out in the order in which
/// they were set, so that a run repeats exactly. Cost: O(n) a look; a table holds tens of names, not thousands.
///
/// Inlinable, so that each table is compiled for its own names: comparing them is all that it does.
public struct DeadlineTable<Name: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Entry: Sendable {
        @usableFromInline let name: Name
        @usableFromInline let due: Instant
        @usableFromInline let order: UInt64

        @inlinable
        init(name: Name, due: Instant, order: UInt64) { (self.name, self.due, self.order) = (name, due, order) }
    }

    @usableFromInline var entries: [Entry] = []
    @usableFromInline var order: UInt64 = 0

    @inlinable
    public init() {}

    @inlinable public var isEmpty: Bool { entries.isEmpty }
    @inlinable public var count: Int { entries.count }

    /// The next instant at which something is due.
    @inlinable public var earliest: Instant? { next.map { entries[$0].due } }

    /// Every name that waits, with its instant, in no particular order.
    @inlinable public var pending: [(name: Name, due: Instant)] { entries.map { ($0.name, $0.due) } }

    @inlinable
    public subscript(name: Name) -> Instant? { place(of: name).map { entries[$0].due } }

    @inlinable
    public mutating func set(_ name: Name, at due: Instant) {
        order += 1
        let entry = Entry(name: name, due: due, order: order)
        if let place = place(of: name) { entries[place] = entry } else { entries.append(entry) }
    }

    @inlinable
    public mutating func cancel(_ name: Name) {
        if let place = place(of: name) { entries.remove(at: place) }
    }

    @inlinable
    public mutating func cancelAll(where matches: (Name) -> Bool) { entries.removeAll { matches($0.name) } }

    /// Takes out the earliest name that is due at `now`, or nil. Call until nil.
    @inlinable
    public mutating func popDue(at now: Instant) -> Name? {
        guard let next, entries[next].due <= now else { return nil }
        return entries.remove(at: next).name
    }

    @inlinable
    func place(of name: Name) -> Int? {
        for index in entries.indices where entries[index].name == name { return index }
        return nil
    }

    /// Where the earliest stands; of equal ones, the one that was set first.
    @inlinable var next: Int? {
        var best: Int?
        for index in entries.indices {
            guard let earlier = best else {
                best = index
                continue
            }
            if (entries[index].due, entries[index].order) < (entries[earlier].due, entries[earlier].order) {
                best = index
            }
        }
        return best
    }
}
