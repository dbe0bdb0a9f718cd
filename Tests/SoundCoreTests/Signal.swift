import SoundCore

/// Sound measurements without a mathematics library.
enum Signal {
    /// The sine of a share of a turn.
    static func sine(_ turns: Double) -> Double {
        CodecSignal.series(2 * Double.pi * (turns - turns.rounded()), first: 1)
    }

    /// A sine of full phase precision.
    static func tone(_ frequency: Int, amplitude: Double, milliseconds: Int) -> [Int16] {
        (0..<milliseconds * 48).map { place in
            Int16((amplitude * sine(Double(place * frequency % 48_000) / 48_000)).rounded())
        }
    }

    /// The energy in one second of sound beside a sine of whole hertz, in decibels below that sine.
    static func residue(beside frequency: Int, in second: ArraySlice<Int16>) -> Double {
        var (inPhase, across, power) = (0.0, 0.0, 0.0)
        for (place, sample) in second.enumerated() {
            let turns = Double(place * frequency % 48_000) / 48_000
            let value = Double(sample)
            inPhase += value * sine(turns)
            across += value * sine(turns + 0.25)
            power += value * value
        }
        // Over whole periods both are orthogonal, with a mean square of one half.
        let tone = 2 * (inPhase * inPhase + across * across) / Double(second.count)
        return Decibels.level((max(0, power - tone) / tone).squareRoot())
    }

    /// The largest step between neighbours: it measures clicks.
    static func steepest(_ sound: [Int16]) -> Int {
        zip(sound, sound.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    /// Upward zero crossings a second that are a period apart: the pitch of a voice with few of them.
    static func pitch(_ sound: [Int16]) -> Double {
        let best = (160...600).max { likeness(sound, lag: $0) < likeness(sound, lag: $1) } ?? 1
        return 48_000 / Double(best)
    }

    private static func likeness(_ sound: [Int16], lag: Int) -> Double {
        var sum = 0.0
        for place in stride(from: 0, to: sound.count - lag, by: 7) {
            sum += Double(sound[place]) * Double(sound[place + lag])
        }
        return sum
    }
}
