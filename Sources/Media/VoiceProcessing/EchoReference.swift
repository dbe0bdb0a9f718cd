import RTPCore
import SoundCore

/// What the loudspeaker plays, kept until the microphone can hear it, and given back on the microphone's clock: the
/// reference of an echo canceller. Pure.
///
/// Written when sound goes to the playback device, so after everything that changes its time or its loudness. Both
/// devices say how far they are behind the program (`Lag`); that tells which sample was played when another one was
/// captured. A device may say so only once a period, and then says more than is true, never less: the least of a quarter
/// second counts. Where the devices are two, their clocks drift apart; a line through these quarter seconds says how fast
/// (`ClockDrift`), the sooner the more exactly the devices know, and the reference is resampled by that. Whatever moves
/// by more than 2 ms at once is followed at once, so that what was learned of the room stays true.
/// Cost: that of `FractionalResampler`. No allocation after `init`; for the audio thread.
package struct EchoReference: ~Copyable {
    /// How far the program is from the outside.
    package struct Lag: Equatable, Sendable {
        /// From the last sample captured to the last one written, as they pass the converters.
        package let samples: Int
        /// Changes whenever a device stopped, began or lost sound.
        package let breaks: Int

        package init(samples: Int, breaks: Int) {
            self.samples = samples
            self.breaks = breaks
        }
    }

    /// So much earlier the canceller hears what is played: it cannot cancel what it has not heard yet.
    package static let lead = 4 * SoundFormat.samplesPerMillisecond

    private static let capacity = 1 << 15
    private static let longestLag = capacity / 2
    private static let window = SoundFormat.sampleRate / 4
    private static let jump = 2.0 * Double(SoundFormat.samplesPerMillisecond)
    /// An error that stays harms nobody, and moving the reference does: nothing is moved for less than this.
    private static let tolerance = 1.0 * Double(SoundFormat.samplesPerMillisecond)
    /// How much two clocks disagree, usually.
    private static let usualDrift = 0.000_1
    /// Seconds in which a difference goes down to a third.
    private static let settling = 2.0
    private static let largestCorrection = 0.005

    private var played: [Int16]
    private var written = 0
    private var captured = 0
    /// Of what was played: the next sample that goes into the resampler.
    private var place = 0
    private var resampler = FractionalResampler()
    private let piece: Workspace<Int16>
    /// Those of the last lag; nil: the reference lies nowhere yet.
    private var breaks: Int?
    private var drift = ClockDrift()
    /// The most by which, in this window, what was played was ahead of what was captured at the same moment; as it will
    /// be at the window's end by what is known of the clocks.
    private var offset = -Double.infinity
    private var leastOffset = Double.infinity
    private var windowEnd = 0
    /// It is known how exactly the devices know their places.
    private var isJudged = false

    /// - Parameter quantum: the most samples that are read at a time.
    package init(quantum: Int) {
        played = Array(repeating: 0, count: Self.capacity)
        piece = Workspace(count: quantum + quantum / 64 + 4, filler: 0)
    }

    /// Seconds of playback gained a second: how much faster its clock is than capture's.
    package var driftShare: Double { drift.slope }

    /// These samples go to the loudspeaker.
    package mutating func write(_ samples: Span<Int16>) {
        for index in samples.indices { played[(written + index) & (Self.capacity - 1)] = samples[index] }
        written += samples.count
    }

    /// What happens next is not looked at, or not known.
    package mutating func interrupt() { breaks = nil }

    /// What was played for the quantum that was captured just now, 4 ms ahead.
    /// - Returns: False if the lag makes no sense. Then `output` is unchanged.
    package mutating func read(into output: inout MutableSpan<Int16>, _ lag: Lag) -> Bool {
        guard (0...Self.longestLag).contains(lag.samples) else {
            interrupt()
            return false
        }
        captured += output.count
        let offset = Double(written - lag.samples - captured)
        if lag.breaks != breaks {
            breaks = lag.breaks
            begin(at: offset, quantum: output.count)
        }
        let projected = offset + drift.slope * Double(windowEnd - captured)
        (self.offset, leastOffset) = (max(self.offset, projected), min(leastOffset, projected))
        if captured >= windowEnd { steer(quantum: output.count) }
        piece.write(piece.all) { copy(into: &$0) }
        place += piece.read(piece.all) { resampler.run($0, into: &output, from: 0).taken }
        return true
    }

    /// What was not played yet, or too long ago, is silence.
    private func copy(into piece: inout MutableSpan<Int16>) {
        let known = max(0, written - Self.capacity)..<written
        for index in piece.indices {
            let source = place + index
            piece[index] = known.contains(source) ? played[source & (Self.capacity - 1)] : 0
        }
    }

    /// The reference lies anew; what is known of the clocks stays.
    private mutating func begin(at offset: Double, quantum: Int) {
        place = Int(place(at: offset, quantum: quantum).rounded())
        resampler.set(correction: drift.slope)
        drift.interrupt()
        openWindow()
    }

    private mutating func openWindow() {
        (offset, leastOffset) = (-.infinity, .infinity)
        windowEnd = captured + Self.window
    }

    private func place(at offset: Double, quantum: Int) -> Double {
        Double(captured - quantum + Self.lead + FractionalResampler.delay) + offset
    }

    /// The first window tells how much places err, and so how soon a drift is to be believed: when its square outweighs
    /// that of the error. Of some 25 errors between nothing and the range, the least is wrong by a 26th of it.
    private mutating func judge() {
        isJudged = true
        let error = max((offset - leastOffset) / 26, 0.3) / Double(SoundFormat.sampleRate)
        drift = ClockDrift(doubt: (error / Self.usualDrift) * (error / Self.usualDrift))
    }

    /// A window is over.
    private mutating func steer(quantum: Int) {
        let rate = Double(SoundFormat.sampleRate)
        if !isJudged { judge() }
        if abs(place(at: offset, quantum: quantum) - Double(place)) > Self.jump {
            begin(at: offset, quantum: quantum)
            return
        }
        let now = Double(captured) / rate
        drift.observe(delay: offset / rate, at: now)
        let error = place(at: drift.delay(at: now) * rate, quantum: quantum) - Double(place)
        let excess = error - min(max(error, -Self.tolerance), Self.tolerance)
        let wish = drift.slope + excess / (Self.settling * rate)
        resampler.set(correction: min(max(wish, -Self.largestCorrection), Self.largestCorrection))
        openWindow()
    }
}
