import Base

/// The events of a rehearsed call, in the order of the one clock that all its processes share.
public struct Timeline: Sendable {
    public struct Entry: Equatable, Sendable {
        public let at: Instant
        public let who: String
        public let what: String
    }

    public private(set) var entries: [Entry] = []

    public init() {}

    public mutating func note(_ what: String, who: String, at instant: Instant) {
        entries.append(Entry(at: instant, who: who, what: what))
    }

    /// Lines for people: seconds, who, what.
    /// - Parameter start: The instant from which they count; by default the first entry's.
    public func lines(since start: Instant? = nil) -> [String] {
        let ordered = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        guard let start = start ?? ordered.first?.element.at else { return [] }
        let width = (entries.map(\.who.count).max() ?? 0) + 1
        return ordered.map { _, entry in
            Self.seconds(entry.at - start) + "  " + Self.padded(entry.who, to: width) + entry.what
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.nanoseconds / 1_000_000
        let (whole, part) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let fraction = String(part)
        return String(repeating: " ", count: max(0, 5 - String(whole).count)) + "\(whole)."
            + String(repeating: "0", count: 3 - fraction.count) + fraction + " s"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
