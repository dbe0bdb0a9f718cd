import Base
import Telephony

/// Sends queued keys as telephone events, at most one packet for each frame of sound (RFC 4733 §2.5).
///
/// The caller calls `tick` for each frame to learn what to send. While an event lasts, its packets replace the sound.
/// The first packet carries the marker, and the last one is sent three times. All carry the timestamp of the event's
/// beginning and a growing duration. Then follows a gap in which sound is sent, so that the receiver can separate equal
/// digits.
/// Cost: O(1), no allocation; for the thread that sends.
public struct TelephoneEventSender: Sendable {
    public static let shortest = Duration.milliseconds(50)
    public static let queueLimit = 64
    private static let endPackets = 3
    private static let volume: UInt8 = 10

    public enum Item: Equatable, Sendable {
        case event(TelephoneEvent, Duration)
        case pause
    }

    /// What to send for the frame that is due.
    public enum Action: Equatable, Sendable {
        /// Send sound as usual.
        case sound
        /// Send this instead of sound, with the given timestamp and marker.
        case event(TelephoneEventPayload, timestamp: UInt32, marker: Bool)
    }

    private enum State: Sendable {
        case ready
        case sounding(TelephoneEvent, start: UInt32, elapsed: Int, length: Int)
        case ending(TelephoneEvent, start: UInt32, length: Int, sent: Int)
        case waiting(ticks: Int)
    }

    private let clock: MediaClock
    private var state = State.ready
    /// A ring of fixed size, so that queueing allocates nothing.
    private var queue: InlineArray<64, Item>
    private var head = 0
    public private(set) var queued = 0

    /// - Parameter clockRate: The clock rate of the telephone-event payload type that was negotiated.
    public init(clockRate: Int) {
        clock = MediaClock(rate: clockRate)
        queue = InlineArray(repeating: .pause)
    }

    /// True when no event, pause or gap is in progress and the queue is empty.
    public var isIdle: Bool {
        guard case .ready = state else { return false }
        return queued == 0
    }

    /// Queues one item. A length below `shortest` is raised to it. The 16 bits of the duration field limit the length
    /// to 8.1 s at 8 kHz and 1.3 s at 48 kHz.
    /// - Returns: False when the queue is full.
    @_noLocks
    public mutating func enqueue(_ item: Item) -> Bool {
        guard queued < Self.queueLimit else { return false }
        queue[(head + queued) % Self.queueLimit] = item
        queued += 1
        return true
    }

    /// Queues keys and pauses: `0-9 * # A-D` and `,`. Stops at the first key it cannot queue. Not for a real-time
    /// thread, because it handles characters.
    /// - Returns: How many were queued.
    public mutating func enqueue(keys: String) -> Int {
        var taken = 0
        for key in keys {
            guard let item = Self.item(for: key), enqueue(item) else { break }
            taken += 1
        }
        return taken
    }

    /// Empties the queue. An event in progress ends with the next frame and its end packets.
    @_noLocks
    public mutating func cancel() {
        queued = 0
        if case .sounding(let event, let start, let elapsed, _) = state {
            state = .sounding(event, start: start, elapsed: elapsed, length: elapsed)
        }
    }

    /// - Parameters:
    ///   - timestamp: The RTP timestamp of the frame that is due.
    ///   - frameTicks: Its length in ticks of the event clock.
    public mutating func tick(timestamp: UInt32, frameTicks: Int) -> Action {
        precondition(frameTicks > 0, "a frame has a length")
        if case .waiting(let ticks) = state {
            state = ticks > frameTicks ? .waiting(ticks: ticks - frameTicks) : .ready
            return .sound
        }
        if case .ready = state { begin(at: timestamp) }
        return act(frameTicks: frameTicks)
    }

    private mutating func begin(at timestamp: UInt32) {
        guard queued > 0 else { return }
        let item = queue[head]
        head = (head + 1) % Self.queueLimit
        queued -= 1
        switch item {
        case .pause: state = .waiting(ticks: Int(clock.ticks(DTMFTiming.pause)))
        case .event(let event, let length):
            let ticks = min(Int(clock.ticks(max(length, Self.shortest))), Int(UInt16.max))
            state = .sounding(event, start: timestamp, elapsed: 0, length: ticks)
        }
    }

    private mutating func act(frameTicks: Int) -> Action {
        switch state {
        case .ready, .waiting:
            return .sound
        case .sounding(let event, let start, let elapsed, let length):
            let now = min(elapsed + frameTicks, Int(UInt16.max))
            // An event lasts a whole number of frames: it ends with the frame that reaches its length.
            let isEnd = now >= length
            state =
                isEnd
                ? .ending(event, start: start, length: now, sent: 1)
                : .sounding(event, start: start, elapsed: now, length: length)
            return packet(event, isEnd: isEnd, duration: now, start: start, marker: elapsed == 0)
        case .ending(let event, let start, let length, let sent):
            state =
                sent + 1 < Self.endPackets
                ? .ending(event, start: start, length: length, sent: sent + 1)
                : .waiting(ticks: Int(clock.ticks(DTMFTiming.gap)))
            return packet(event, isEnd: true, duration: length, start: start, marker: false)
        }
    }

    private func packet(
        _ event: TelephoneEvent, isEnd: Bool, duration: Int, start: UInt32, marker: Bool
    ) -> Action {
        let payload = TelephoneEventPayload(
            code: event.rawValue, isEnd: isEnd, volume: Self.volume, duration: UInt16(duration))
        return .event(payload, timestamp: start, marker: marker)
    }

    private static func item(for key: Character) -> Item? {
        if key == "," { return .pause }
        return TelephoneEvent(key: key).map { .event($0, DTMFTiming.event) }
    }
}
