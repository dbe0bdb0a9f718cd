import Base
import Panel

/// The contacts of a dial, as a logic analyser would record them: bounce at each make and break.
struct DialSignal {
    struct Move {
        let contact: RotaryDial.Contact
        let active: Bool
        let at: Instant
    }

    /// The speed of a dial, and the quality of its contacts.
    struct Manner {
        var pulsesPerSecond = 10
        var brokenPercent = 62
        var hasOffNormal = true
        /// Bursts of 0.2 to 5 ms, with 1 to 6 excursions.
        var bounces = true
    }

    private(set) var moves: [Move] = []
    /// When the last contact is at rest.
    private(set) var end: Instant
    private var generator: SeededGenerator

    init(from start: Instant = .zero + .seconds(1), seed: UInt64) {
        end = start
        generator = SeededGenerator(seed: seed)
    }

    mutating func pause(_ duration: Duration) { end = end + duration }

    /// Turns the dial and lets it run back.
    mutating func dial(_ pulses: Int, _ manner: Manner = Manner()) {
        let period = Duration.seconds(1) / manner.pulsesPerSecond
        if manner.hasOffNormal {
            move(.offNormal, to: true, at: end, manner)
            end = end + .milliseconds(250 + 30 * pulses)
        }
        for _ in 0..<pulses {
            move(.pulse, to: true, at: end, manner)
            move(.pulse, to: false, at: end + period * manner.brokenPercent / 100, manner)
            end = end + period
        }
        if manner.hasOffNormal {
            end = end + .milliseconds(Int.random(in: 20...100, using: &generator))
            move(.offNormal, to: false, at: end, manner)
            end = end + .milliseconds(6)
        }
    }

    /// A contact moves once, with its bounce.
    mutating func move(_ contact: RotaryDial.Contact, to active: Bool, at time: Instant, _ manner: Manner) {
        moves.append(Move(contact: contact, active: active, at: time))
        guard manner.bounces else { return }
        let length = Int64.random(in: 200_000...5_000_000, using: &generator)
        let excursions = Int.random(in: 1...6, using: &generator)
        let times = (0..<2 * excursions).map { _ in Int64.random(in: 1...length, using: &generator) }.sorted()
        for (index, offset) in times.enumerated() {
            let level = index.isMultiple(of: 2) ? !active : active
            moves.append(Move(contact: contact, active: level, at: time + .nanoseconds(offset)))
        }
    }

    /// The contact moves away and back, once, in the middle of a rest of more than 20 ms; at random.
    mutating func addSpike(on contact: RotaryDial.Contact, length: Duration) {
        let own = moves.filter { $0.contact == contact }
        let rests = zip(own, own.dropFirst()).filter { $1.at - $0.at > .milliseconds(20) }
        guard let (before, after) = rests.randomElement(using: &generator) else { return }
        let start = before.at + (after.at - before.at) / 2 - length / 2
        moves.append(Move(contact: contact, active: !before.active, at: start))
        moves.append(Move(contact: contact, active: before.active, at: start + length))
        moves.sort { $0.at < $1.at }
    }
}
