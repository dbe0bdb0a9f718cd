import Base
import RTPCore

/// One call's receiving side, without its codec: a byte of payload is a tick at 8 kHz, and six at 48 kHz.
struct HeardCall: ~Copyable {
    private static let payloadLimit = 256

    private let rate: Int
    private let quantum: Int
    private var jitter: JitterBuffer
    private var events = TelephoneEventReceiver()
    private var reception = Reception()
    private var now = Instant.zero

    init(clockRate: Int) {
        (rate, quantum) = (clockRate, clockRate / 100)
        var configuration = JitterBuffer.Configuration(clockRate: clockRate)
        configuration.capacity = 32
        configuration.payloadLimit = Self.payloadLimit
        configuration.usesForwardCorrection = clockRate == 48_000
        jitter = JitterBuffer(configuration)
    }

    mutating func receive(_ packet: [UInt8], after pause: Duration) {
        now = now + pause
        guard MuxedPacket(classifying: packet.span) == .rtp, let header = try? RTPHeader(parsing: packet.span) else {
            return
        }
        let body = packet.span.extracting(header.payload)
        if header.payloadType == 101 {
            _ = events.receive(header, payload: body, at: now)
            return jitter.insertVoiceless(header)
        }
        reception.receive(header, clockRate: rate, at: now)
        _ = jitter.insert(header, ticks: body.count * rate / 8_000, payload: body, at: now)
    }

    /// The device asks so many times for ten milliseconds.
    mutating func play(quanta: Int) {
        for _ in 0..<quanta {
            now = now + .milliseconds(10)
            var left = quantum
            while left > 0 { left -= take(left) }
        }
    }

    private mutating func take(_ wanted: Int) -> Int {
        let decision = jitter.take(wanted, of: quantum, at: now)
        let ticks: Int
        switch decision {
        case .decode(let frame):
            precondition(jitter.payload(of: frame).count <= Self.payloadLimit, "more payload than there is room")
            // The effect of stretching depends on the sound; here it is half.
            jitter.stretched(by: max(frame.stretch / 2, -frame.ticks / 2), at: now)
            ticks = frame.ticks
        case .recover(let frame):
            precondition(jitter.payload(of: frame).count <= Self.payloadLimit, "more payload than there is room")
            ticks = frame.ticks
        case .conceal(let count), .silence(let count): ticks = count
        }
        precondition(ticks > 0 && ticks <= rate * 12 / 100, "\(decision) lasts \(ticks) ticks")
        return ticks
    }

    mutating func check() {
        let figures = jitter.statistics
        let counters = figures.counters
        precondition(counters.lost >= 0 && counters.concealedTicks >= 0 && counters.playedTicks >= 0, "\(counters)")
        precondition(counters.concealedTicks <= counters.playedTicks, "more invented than played: \(counters)")
        precondition((0...500).contains(figures.targetMilliseconds), "a target of \(figures.targetMilliseconds) ms")
        precondition(abs(jitter.correction) <= 0.005, "sound played \(jitter.correction) too fast")
        _ = reception.reportBlock(at: now)
    }
}
