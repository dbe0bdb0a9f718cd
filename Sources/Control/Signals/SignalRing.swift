/// The last messages of all lines; the newest displace the oldest. Each has a number, with which a reader names its
/// last one. So a reader gets earlier and later messages in the same way.
struct SignalRing: Sendable {
    /// One answer to a reader.
    struct Page: Equatable, Sendable {
        let signals: [ControlSignal]
        /// The number of the last message; the reader's own number if the page is empty.
        let last: UInt64
        /// The number of messages that were dropped between the reader's last one and the first one here.
        let lost: UInt64
    }

    static let maximumCount = 500
    static let maximumBytes = 1_048_576
    /// The size of a page's messages in bytes; a single message may be larger.
    static let pageBytes = 32_768

    private var signals: [ControlSignal] = []
    /// The number of dropped messages at the start; they are removed together.
    private var displaced = 0
    private var bytes = 0
    /// The number of the newest message; the first one is 1.
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

    /// The messages after the reader's number. 0 means that it has seen none and lost none.
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
