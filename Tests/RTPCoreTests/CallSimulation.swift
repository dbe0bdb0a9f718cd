import Base
import RTPCore

/// A sender, a network and a sound device in simulated time around one jitter buffer.
///
/// The sender speaks all the time; each payload holds its packet's number. The device takes sound every
/// `period`, keeps what a packet gives beyond it, and notes when each packet is heard.
struct CallSimulation: ~Copyable {
    /// When the packet with this number, sent at the given time, arrives: not at all, once or several times.
    typealias Network = (_ number: Int, _ sent: Int64) -> [Int64]

    static let millisecond: Int64 = 1_000_000

    var buffer: JitterBuffer
    var firstSequence: UInt16 = 0
    var firstTimestamp: UInt32 = 0
    var source: UInt32 = 7
    /// Length of packet `number` in milliseconds.
    var packetMilliseconds: (Int) -> Int = { _ in 20 }
    /// How much faster than ours the sender's clock runs.
    var driftPPM: Int64 = 0
    var period: Int64 = 10 * millisecond
    var isQuiet: (_ now: Int64) -> Bool = { _ in false }
    /// Takes are this late, at most, at random.
    var wakeJitter: Int64 = 0

    /// Number of the packet, when it was sent and when its sound begins.
    private(set) var heard: [(number: Int, sent: Int64, played: Int64)] = []
    private(set) var decisions: [(at: Int64, decision: JitterBuffer.Decision)] = []
    private(set) var insertions: [JitterBuffer.Insertion] = []

    private var now: Int64 = 1_000_000_000
    private var nextTake: Int64 = 1_000_000_000
    private var spareTicks = 0
    private var nextNumber = 0
    private var nextSend: Int64 = 1_000_000_000 + 3 * millisecond
    private var sentTicks: Int64 = 0
    private var flying: [(arrival: Int64, header: RTPHeader, ticks: Int, number: Int)] = []
    private var sentTimes: [Int64] = []
    private var random = SeededGenerator(seed: 99)

    init(_ change: (inout JitterBuffer.Configuration) -> Void = { _ in }) {
        var configuration = JitterBuffer.Configuration(clockRate: 48_000)
        change(&configuration)
        buffer = JitterBuffer(configuration)
    }

    mutating func run(milliseconds: Int64, network: Network = { _, sent in [sent] }) {
        let end = now + milliseconds * Self.millisecond
        while true {
            let arrival = flying.map(\.arrival).min() ?? .max
            let next = min(nextSend, nextTake, arrival)
            guard next < end else { break }
            now = next
            if next == nextSend {
                send(network)
            } else if next == arrival {
                receive(arrival)
            } else {
                takePeriod()
            }
        }
        now = end
    }

    /// The sender restarts its numbers, its timestamps or its source.
    mutating func jump(sequence: UInt16? = nil, ticks: Int64 = 0, source: UInt32? = nil) {
        if let sequence { firstSequence = sequence &- UInt16(truncatingIfNeeded: nextNumber) }
        sentTicks += ticks
        if let source { self.source = source }
    }

    private mutating func send(_ network: Network) {
        let milliseconds = packetMilliseconds(nextNumber)
        let header = RTPHeader(
            payloadType: 111, sequence: firstSequence &+ UInt16(truncatingIfNeeded: nextNumber),
            timestamp: firstTimestamp &+ UInt32(truncatingIfNeeded: sentTicks), source: source)
        for arrival in network(nextNumber, nextSend) {
            flying.append((max(arrival, nextSend), header, milliseconds * 48, nextNumber))
        }
        sentTimes.append(nextSend)
        nextNumber += 1
        sentTicks += Int64(milliseconds) * 48
        let length = Int64(milliseconds) * Self.millisecond
        nextSend += length - length * driftPPM / 1_000_000
    }

    private mutating func receive(_ arrival: Int64) {
        guard let index = flying.firstIndex(where: { $0.arrival == arrival }) else { return }
        let packet = flying.remove(at: index)
        var payload: [UInt8] = []
        payload.append(bigEndian: UInt32(packet.number))
        insertions.append(
            buffer.insert(
                packet.header, ticks: packet.ticks, payload: payload.span, at: Instant(nanoseconds: arrival)))
    }

    private mutating func takePeriod() {
        let wanted = Int(period * 48 / Self.millisecond)
        let late = wakeJitter == 0 ? 0 : Int64(random.next() % UInt64(wakeJitter))
        while spareTicks < wanted { take(wanted: wanted - spareTicks, late: late) }
        spareTicks -= wanted
        nextTake += period
    }

    private mutating func take(wanted: Int, late: Int64) {
        var bytes = [UInt8](repeating: 0, count: 1_500)
        var payload = bytes.mutableSpan
        let decision = buffer.take(
            wanted, at: Instant(nanoseconds: now + late), isQuiet: isQuiet(now), into: &payload)
        decisions.append((now, decision))
        switch decision {
        case .decode(let frame):
            let number = Int(payload.span.bigEndian(at: 0) as UInt32)
            heard.append((number, sentTimes[number], now + Int64(spareTicks) * Self.millisecond / 48))
            spareTicks += frame.ticks
        case .recover(let frame): spareTicks += frame.ticks
        case .conceal(let ticks), .expand(let ticks), .silence(let ticks): spareTicks += ticks
        case .skip: break
        }
    }

    /// Mouth to ear without codecs, in milliseconds, of what was heard from `start` (ms of simulated time) on.
    func delays(after start: Int64 = 0) -> [Double] {
        heard.filter { $0.played >= 1_000_000_000 + start * Self.millisecond }
            .map { Double($0.played - $0.sent) / Double(Self.millisecond) }
    }

    var statistics: JitterBuffer.Statistics { buffer.statistics }

    func count(_ matches: (JitterBuffer.Decision) -> Bool, after start: Int64 = 0) -> Int {
        decisions.count { $0.at >= 1_000_000_000 + start * Self.millisecond && matches($0.decision) }
    }
}
