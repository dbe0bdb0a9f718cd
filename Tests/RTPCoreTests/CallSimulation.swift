import Base
import RTPCore

/// A sender, a network and a sound device in simulated time around one jitter buffer.
///
/// The sender sends all the time; each payload holds its packet's number. The device takes sound every `period`, keeps
/// the rest of a packet, and notes when each packet is heard. It follows the buffer's corrections by resampling, and
/// stretches by the pitch of a voice.
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
    /// The sender's clock rate relative to ours.
    var driftPPM: Int64 = 0
    var period: Int64 = 10 * millisecond
    /// Quanta that the device takes at one moment, and how many of them it has taken.
    var quantaAtOnce = 1
    private var taken = 0
    /// The device's clock rate relative to the network's.
    var devicePPM: Int64 = 0
    /// While silent the sender sends nothing; its clock runs on, its sequence does not.
    var isTalking: (_ sent: Int64) -> Bool = { _ in true }
    /// Other packets hold a telephone event or comfort noise: they take a number and time, and no voice.
    var hasVoice: (_ number: Int) -> Bool = { _ in true }
    /// The length that a stretch adds or removes, in ticks; 0 in sound that cannot be stretched.
    var pitchPeriod: (_ now: Int64) -> Int = { _ in 400 }
    /// While false the device takes nothing, and received packets are dropped: a held call.
    var isHeard = true
    /// Takes are this late, at most, at random.
    var wakeJitter: Int64 = 0

    /// Number of the packet, when it was sent and when its sound begins.
    private(set) var heard: [(number: Int, sent: Int64, played: Int64)] = []
    private(set) var decisions: [(at: Int64, decision: JitterBuffer.Decision)] = []
    private(set) var insertions: [JitterBuffer.Insertion] = []

    private var now: Int64 = 1_000_000_000
    private var nextTake: Int64 = 1_000_000_000
    private var spareTicks = 0.0
    private var nextNumber = 0
    private var nextSend: Int64 = 1_000_000_000 + 3 * millisecond
    private var sentTicks: Int64 = 0
    private var flying: [(arrival: Int64, header: RTPHeader, ticks: Int, number: Int)] = []
    private var sentTimes: [Int64] = []
    /// Quanta that the device wants at once when it returns.
    private var refill = 0
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

    /// The device takes nothing for so long, underruns, and is filled at once again.
    mutating func stopDevice(milliseconds: Int64, refill: Int) {
        nextTake += milliseconds * Self.millisecond
        self.refill = refill
    }

    private mutating func send(_ network: Network) {
        let milliseconds = packetMilliseconds(nextNumber)
        defer {
            sentTicks += Int64(milliseconds) * 48
            let length = Int64(milliseconds) * Self.millisecond
            nextSend += length - length * driftPPM / 1_000_000
        }
        guard isTalking(nextSend) else { return }
        let header = RTPHeader(
            payloadType: 111, sequence: firstSequence &+ UInt16(truncatingIfNeeded: nextNumber),
            timestamp: firstTimestamp &+ UInt32(truncatingIfNeeded: sentTicks), source: source)
        for arrival in network(nextNumber, nextSend) {
            flying.append((max(arrival, nextSend), header, milliseconds * 48, nextNumber))
        }
        sentTimes.append(nextSend)
        nextNumber += 1
    }

    private mutating func receive(_ arrival: Int64) {
        guard let index = flying.firstIndex(where: { $0.arrival == arrival }) else { return }
        let packet = flying.remove(at: index)
        guard isHeard else { return }
        guard hasVoice(packet.number) else { return buffer.insertVoiceless(packet.header) }
        var payload: [UInt8] = []
        payload.append(bigEndian: UInt32(packet.number))
        insertions.append(
            buffer.insert(
                packet.header, ticks: packet.ticks, payload: payload.span, at: Instant(nanoseconds: arrival)))
    }

    private mutating func takePeriod() {
        defer {
            taken += 1
            if refill > 0 {
                refill -= 1
            } else if taken >= quantaAtOnce {
                nextTake += Int64(taken) * (period - period * devicePPM / 1_000_000)
                taken = 0
            }
        }
        guard isHeard else { return }
        let quantum = Int(period * 48 / Self.millisecond)
        if quantaAtOnce > 1 {
            buffer.burst = .init(before: taken * quantum, atOnce: quantaAtOnce * quantum)
        }
        let late = wakeJitter == 0 ? 0 : Int64(random.next() % UInt64(wakeJitter))
        var place = 0
        while place < quantum {
            if spareTicks < 1 { take(wanted: quantum - place, of: quantum, late: late) }
            // The smaller of the available amount and the device's need.
            let speed = 1 + buffer.correction
            let count = min(quantum - place, Int(spareTicks / speed) + 1)
            spareTicks -= Double(count) * speed
            place += count
        }
    }

    private mutating func take(wanted: Int, of quantum: Int, late: Int64) {
        let asked = Instant(nanoseconds: now + late)
        let decision = buffer.take(wanted, of: quantum, at: asked)
        decisions.append((now, decision))
        switch decision {
        case .decode(let frame):
            let number = Int(buffer.payload(of: frame).bigEndian(at: 0) as UInt32)
            let place = Double(buffer.burst.before + quantum - wanted) + spareTicks
            heard.append((number, sentTimes[number], now + Int64(place * 1_000_000 / 48)))
            let change = stretch(by: frame.stretch)
            buffer.stretched(by: change, at: asked)
            spareTicks += Double(frame.ticks + change)
        case .recover(let frame): spareTicks += Double(frame.ticks)
        case .conceal(let ticks), .silence(let ticks): spareTicks += Double(ticks)
        }
    }

    private func stretch(by wish: Int) -> Int {
        let pitch = pitchPeriod(now)
        if wish > 0 { return pitch }
        return wish <= -pitch ? -pitch : 0
    }

    /// Mouth to ear without codecs, in milliseconds, of the sound heard from `start` (ms of simulated time) on.
    func delays(after start: Int64 = 0) -> [Double] {
        heard.filter { $0.played >= 1_000_000_000 + start * Self.millisecond }
            .map { Double($0.played - $0.sent) / Double(Self.millisecond) }
    }

    /// The longest gap in the sound, from `start` (ms of simulated time) on, in milliseconds.
    func longestHole(after start: Int64 = 0) -> Double {
        let played = heard.map(\.played).filter { $0 >= 1_000_000_000 + start * Self.millisecond }
        let longest = zip(played, played.dropFirst()).map { $1 - $0 }.max() ?? .max
        return Double(longest) / Double(Self.millisecond)
    }

    var statistics: JitterBuffer.Statistics { buffer.statistics }

    func count(_ matches: (JitterBuffer.Decision) -> Bool, after start: Int64 = 0) -> Int {
        decisions.count { $0.at >= 1_000_000_000 + start * Self.millisecond && matches($0.decision) }
    }
}
