import Base

/// What is remembered of each source of requests. Of too many sources, the one that was quiet longest is forgotten.
struct SourceTable<Source: Hashable, Value> {
    private struct Entry {
        var value: Value
        var last: Instant
    }

    private let limit: Int
    private var entries: [Source: Entry] = [:]

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    /// The value of a source. Nil: nothing is remembered.
    subscript(source: Source) -> Value? { entries[source]?.value }

    /// When the source was last noted. Nil: nothing is remembered.
    func last(of source: Source) -> Instant? { entries[source]?.last }

    mutating func note(_ value: Value, of source: Source, at now: Instant) {
        if entries[source] == nil, entries.count >= limit,
            let quietest = entries.min(by: { $0.value.last < $1.value.last })
        {
            entries[quietest.key] = nil
        }
        entries[source] = Entry(value: value, last: now)
    }
}
