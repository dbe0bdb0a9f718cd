/// Deadlines by name. The owner of the table sets its one timer to the earliest of them.
///
/// Setting a name again moves its deadline. Names due at the same time are returned in the order of their setting, so
/// that a run repeats exactly. Cost: O(n) for each operation; a table holds tens of names, not thousands.
///
/// It is inlinable, so that it is compiled for its type of name: comparing names is all its work.
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

    /// The instant of the earliest deadline.
    @inlinable public var earliest: Instant? { next.map { entries[$0].due } }

    /// Every name that has a deadline, with its instant, in no particular order.
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

    /// Removes and returns the earliest name due at `now`; nil without one. Call it until it returns nil.
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

    /// The index of the earliest entry; of equal ones, the first that was set.
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
