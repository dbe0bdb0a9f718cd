/// The last messages of every line; the newest displace the oldest. Each has a number, by which a reader says what it
/// has seen. So a reader gets messages from before and after its question in the same way.
struct SignalRing: Sendable {
    /// What a reader gets at once.
    struct Page: Equatable, Sendable {
        let signals: [ControlSignal]
        /// The number of the last message; if there is none, the number that the reader gave.
        let last: UInt64
        /// How many messages were displaced between the one that the reader had seen and the first one here.
        let lost: UInt64
    }

    static let maximumCount = 500
    static let maximumBytes = 1_048_576
    /// Bytes of the messages in a page; a single message may be longer.
    static let pageBytes = 32_768

    private var signals: [ControlSignal] = []
    /// How many messages at the start were displaced; they are removed together.
    private var displaced = 0
    private var bytes = 0
    /// The number of the newest message; the first one has 1.
    private(set) var last: UInt64 = 0

    mutating func append(_ signal: ControlSignal) {
        signals.append(signal)
        bytes += signal.message.count
        last += 1
        while signals.count - displaced > Self.maximumCount || bytes > Self.maximumBytes {
            bytes -= signals[displaced].message.count
            signals[displaced].message = []
            displaced += 1
        }
        guard displaced >= Self.maximumCount else { return }
        signals.removeFirst(displaced)
        displaced = 0
    }

    /// The messages after the number that a reader has seen; 0 means that it has seen none, and has lost none.
    func page(after seen: UInt64) -> Page {
        let kept = signals[displaced...]
        let before = last - UInt64(kept.count)
        let first = max(seen, before)
        guard first < last else { return Page(signals: [], last: seen, lost: 0) }
        var room = Self.pageBytes
        let page = kept.dropFirst(Int(first - before)).prefix { signal in
            defer { room -= signal.message.count }
            return room > 0
        }
        return Page(signals: Array(page), last: first + UInt64(page.count), lost: seen == 0 ? 0 : first - seen)
    }
}
