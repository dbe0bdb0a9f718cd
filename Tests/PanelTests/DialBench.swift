import Base
import Panel
import PhoneCore
import Testing

/// Plays a signal to a decoder like the panel's thread: woken by reported edges and by deadlines, late by a random
/// lag, reading the levels after the edges.
struct DialBench {
    private(set) var dial: RotaryDial
    private(set) var digits: [DTMFSymbol] = []
    private var levels: [RotaryDial.Contact: Bool] = [:]
    private let lag: Duration
    private var generator: SeededGenerator

    /// - Parameter levels: The active lines at program start.
    init(
        timing: DialTiming = DialTiming(), map: DialMap = .standard, hasOffNormal: Bool = true,
        levels: [RotaryDial.Contact: Bool] = [:], lag: Duration = .zero, seed: UInt64 = 1
    ) {
        dial = RotaryDial(timing: timing, map: map, hasOffNormal: hasOffNormal)
        self.levels = levels
        self.lag = lag
        generator = SeededGenerator(seed: seed)
        look(at: .zero)
    }

    /// - Parameter lost: Indices of moves without a reported edge, though the level changes.
    mutating func play(_ moves: [DialSignal.Move], lost: Set<Int> = []) {
        var next = 0
        var wakes = 0
        let horizon = (moves.last?.at ?? .zero) + .seconds(2)
        while let wake = nextWake(moves, from: next, lost), wake <= horizon {
            let now = wake + .nanoseconds(Int64.random(in: 0...lag.nanoseconds, using: &generator))
            while next < moves.count, moves[next].at <= now {
                let move = moves[next]
                levels[move.contact] = move.active
                if !lost.contains(next) {
                    digits += dial.edge(of: move.contact, to: move.active, at: move.at)
                }
                next += 1
            }
            look(at: now)
            wakes += 1
            guard wakes < 10 * moves.count + 1000 else {
                Issue.record("the dial asks to be woken for ever")
                return
            }
        }
        for move in moves[next...] { levels[move.contact] = move.active }
    }

    private func nextWake(_ moves: [DialSignal.Move], from next: Int, _ lost: Set<Int>) -> Instant? {
        let told = moves.indices[next...].first { !lost.contains($0) }.map { moves[$0].at }
        return [told, dial.deadline].compactMap { $0 }.min()
    }

    private mutating func look(at now: Instant) {
        digits += dial.looked(
            isBroken: levels[.pulse] ?? false, isTurned: levels[.offNormal] ?? false, at: now)
    }
}
