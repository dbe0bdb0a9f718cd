/// The last messages of every line: the newest displace the oldest. Each has a number, by which a reader says what it has
/// seen, so that what came before it asked and what comes while it waits are the same to it.
struct SignalRing: Sendable {
    /// What a reader gets at once.
    struct Page: Equatable, Sendable {
        let signals: [ControlSignal]
        /// The number of the last one; where there is none, what the reader said.
        let last: UInt64
        /// How many between what the reader had seen and the first one were displaced.
        let lost: UInt64
    }

    static let maximumCount = 500
    static let maximumBytes = 1_048_576
    /// Bytes of a page; a single message may be longer.
    static let pageBytes = 32_768

    private var signals: [ControlSignal] = []
    /// The ones at the start that were displaced, and are removed together.
    private var displaced = 0
    private var bytes = 0
    /// The number of the newest; the first has 1.
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

    /// What came behind the number that a reader has seen; 0 has seen nothing, and has lost nothing.
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
