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

    private struct Entry {
        var rate: RateLimit
        var last: Instant
    }

    private let (strangers, owners): (RateLimit, RateLimit)
    private var entries: [Source: Entry] = [:]

    init(_ settings: HTTPSettings) {
        (strangers, owners) = (settings.rateOfAddress, settings.rateOfToken)
    }

    /// Counts a request.
    /// - Returns: Whether it may be served.
    mutating func admit(_ source: Source, at now: Instant) -> Bool {
        var entry = entries[source] ?? Entry(rate: rate(of: source), last: now)
        entry.last = now
        let isAdmitted = entry.rate.admit(at: now)
        if entries[source] == nil { makeRoom() }
        entries[source] = entry
        return isAdmitted
    }

    private func rate(of source: Source) -> RateLimit {
        switch source {
        case .address: strangers
        case .token: owners
        }
    }

    private mutating func makeRoom() {
        guard entries.count >= Self.limit, let quietest = entries.min(by: { $0.value.last < $1.value.last }) else {
            return
        }
        entries[quietest.key] = nil
    }
}
