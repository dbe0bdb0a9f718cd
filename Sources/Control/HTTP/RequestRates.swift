import Base

/// Limits the requests of each source. Confined to the control thread.
///
/// Requests without a token share a rate per address. Each token has its own rate, so that strangers at the same
/// address cannot block its owner.
struct RequestRates {
    enum Source: Hashable {
        case address([UInt8])
        /// By its digest.
        case token([UInt8])
    }

    /// The number of remembered sources. The one that was quiet longest is forgotten first.
    private static let limit = 256

    private let (strangers, owners): (RateLimit, RateLimit)
    private var rates = SourceTable<Source, RateLimit>(limit: limit)

    init(_ settings: HTTPSettings) {
        (strangers, owners) = (settings.rateOfAddress, settings.rateOfToken)
    }

    /// Counts a request.
    /// - Returns: Whether it may be served.
    mutating func admit(_ source: Source, at now: Instant) -> Bool {
        var rate = rates[source] ?? self.rate(of: source)
        let isAdmitted = rate.admit(at: now)
        rates.note(rate, of: source, at: now)
        return isAdmitted
    }

    private func rate(of source: Source) -> RateLimit {
        switch source {
        case .address: strangers
        case .token: owners
        }
    }
}

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
