import RTPCore
import SoundCore

/// The reference of an echo canceller: keeps the loudspeaker's sound until the microphone can hear it, and returns it
/// on the microphone's clock. Pure.
///
/// It is written when sound goes to the playback device, after everything that changes its time or its level. Both
/// devices report how far they are behind the program (`Lag`). This tells which sample was played when another one was
/// captured. A device may update its report only once a period; its value is then too large, never too small. So the
/// least value of a quarter second counts.
///
/// The clocks of two devices drift apart. A line through these quarter-second values gives the drift (`ClockDrift`);
/// the more exact the reports, the sooner. The reference is resampled by the drift. A step of more than 2 ms is
/// followed at once, so that what the canceller learned of the room stays valid. Cost: that of `FractionalResampler`.
/// No allocation after `init`; for the audio thread.
package struct EchoReference: ~Copyable {
    /// The distance between the program and the converters.
    package struct Lag: Equatable, Sendable {
        /// Samples between the last one captured and the last one written, at the moments when they pass the
        /// converters.
        package let samples: Int
        /// Changes whenever a device stops, starts or loses sound.
        package let breaks: Int

        package init(samples: Int, breaks: Int) {
            self.samples = samples
            self.breaks = breaks
        }
    }

    /// How much earlier the canceller gets the played sound: it cannot cancel sound that it does not have yet.
    package static let lead = 4 * SoundFormat.samplesPerMillisecond

    private static let capacity = 1 << 15
    private static let longestLag = capacity / 2
    private static let window = SoundFormat.sampleRate / 4
    private static let jump = 2.0 * Double(SoundFormat.samplesPerMillisecond)
    /// A constant error does no harm, but moving the reference does. So smaller errors are ignored.
    private static let tolerance = 1.0 * Double(SoundFormat.samplesPerMillisecond)
    /// The usual difference between two clocks, as a fraction.
    private static let usualDrift = 0.000_1
    /// Seconds in which a difference shrinks to a third.
    private static let settling = 2.0
    private static let largestCorrection = 0.005

    private var played: [Int16]
    private var written = 0
    private var captured = 0
    /// The next played sample that goes into the resampler.
    private var place = 0
    private var resampler = FractionalResampler()
    private let piece: Workspace<Int16>
    /// The `breaks` of the last lag; nil: the reference has no position yet.
    private var breaks: Int?
    private var drift = ClockDrift()
    /// The largest number of samples by which playback was ahead of capture at the same moment in this window. The
    /// known drift projects it to the window's end.
    private var offset = -Double.infinity
    private var leastOffset = Double.infinity
    private var windowEnd = 0
    /// Whether the accuracy of the devices' reports is known.
    private var isJudged = false

    /// - Parameter quantum: the most samples per read.
    package init(quantum: Int) {
        played = Array(repeating: 0, count: Self.capacity)
        piece = Workspace(count: quantum + quantum / 64 + 4, filler: 0)
    }

    /// Seconds that playback gains per second: how much faster its clock is than capture's.
    package var driftShare: Double { drift.slope }

    /// Takes samples that go to the loudspeaker.
    package mutating func write(_ samples: Span<Int16>) {
        for index in samples.indices { played[(written + index) & (Self.capacity - 1)] = samples[index] }
        written += samples.count
    }

    /// Call this when the sound that follows is not read, or its lag is not known.
    package mutating func interrupt() { breaks = nil }

    /// Reads the sound that was played for the quantum that was just captured, 4 ms ahead.
    /// - Returns: False if the lag is implausible. Then `output` is unchanged.
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

    /// Sound that was not played yet, or too long ago, becomes silence.
    private func copy(into piece: inout MutableSpan<Int16>) {
        let known = max(0, written - Self.capacity)..<written
        for index in piece.indices {
            let source = place + index
            piece[index] = known.contains(source) ? played[source & (Self.capacity - 1)] : 0
        }
    }

    /// Gives the reference a new position; the known drift stays.
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

    /// The first window shows how large the errors of positions are. A drift can be believed once its square exceeds
    /// the square of that error. Among some 25 errors between zero and the range, the least is wrong by a 26th of the
    /// range.
    private mutating func judge() {
        isJudged = true
        let error = max((offset - leastOffset) / 26, 0.3) / Double(SoundFormat.sampleRate)
        drift = ClockDrift(doubt: (error / Self.usualDrift) * (error / Self.usualDrift))
    }

    /// Corrects position and drift at the end of a window.
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
        let wanted = drift.slope + excess / (Self.settling * rate)
        resampler.set(correction: min(max(wanted, -Self.largestCorrection), Self.largestCorrection))
        openWindow()
    }
}
