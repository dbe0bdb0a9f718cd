import SoundCore

/// A ring on its way to a loudspeaker. Asks nothing of the heap; one thread.
struct RingPlayer {
    private enum Course { case silent, playing, leaving }

    private var course = Course.silent
    private var sound = RingSound.nothing
    /// What follows once `sound` has faded.
    private var next = RingSound.nothing
    private var tone = ToneGenerator()
    /// The next sample of a recording.
    private var place = 0
    private var gain = GainRamp(gain: GainRamp.closed)

    /// False when only silence would be rendered.
    var isActive: Bool { course != .silent }

    /// Plays this from its beginning. What sounds now fades first, within 5 ms.
    mutating func play(_ next: RingSound) {
        self.next = next
        if isActive { course = .leaving } else { begin() }
    }

    /// Silent at once.
    mutating func cut() {
        next = .nothing
        begin()
    }

    /// Overwrites all of `output`, which is no shorter than an edge.
    mutating func render(into output: inout MutableSpan<Int16>, volume: Float) {
        switch sound {
        case .nothing: for index in output.indices { output[index] = 0 }
        case .tone: tone.render(into: &output)
        case .recording(let samples): copy(samples.span, into: &output)
        }
        gain.set(course == .leaving ? GainRamp.closed : volume)
        gain.apply(to: &output)
        if course == .leaving, gain.isSilent { begin() }
    }

    private mutating func begin() {
        sound = next
        course = .playing
        place = 0
        tone = ToneGenerator()
        gain = GainRamp(gain: GainRamp.closed)
        switch sound {
        case .nothing: course = .silent
        case .tone(let spec): tone.start(spec)
        case .recording: break
        }
    }

    private mutating func copy(_ samples: Span<Int16>, into output: inout MutableSpan<Int16>) {
        for index in output.indices {
            output[index] = samples[place]
            place = place + 1 == samples.count ? 0 : place + 1
        }
    }
}
