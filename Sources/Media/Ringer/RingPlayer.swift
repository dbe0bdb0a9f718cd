import SoundCore

/// Plays a ring to a loudspeaker. Allocates nothing; for one thread.
struct RingPlayer {
    private enum Course { case silent, playing, leaving }

    private var course = Course.silent
    private var sound = RingSound.nothing
    /// The sound that follows when `sound` has faded out.
    private var next = RingSound.nothing
    private var tone = ToneGenerator()
    /// The next sample of a recording.
    private var place = 0
    private var gain = GainRamp(gain: GainRamp.closed)

    /// False when only silence would be rendered.
    var isActive: Bool { course != .silent }

    /// Plays this sound from its beginning. The current sound fades out first, within 5 ms.
    mutating func play(_ next: RingSound) {
        self.next = next
        if isActive { course = .leaving } else { begin() }
    }

    /// Stops the sound at once.
    mutating func cut() {
        next = .nothing
        begin()
    }

    /// Overwrites all of `output`, which has room for at least the 5 ms of a fade.
    mutating func render(into output: inout MutableSpan<Int16>, volume: Float) {
        switch sound {
        case .nothing: for index in output.indices { output[index] = 0 }
        case .tone: tone.render(into: &output)
        case .recording(let samples): copy(samples.span, into: &output)
        }
        gain.apply(course == .leaving ? GainRamp.closed : volume, to: &output)
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

    @_lifetime(output: copy output)
    private mutating func copy(_ samples: Span<Int16>, into output: inout MutableSpan<Int16>) {
        for index in output.indices {
            output[index] = samples[place]
            place = place + 1 == samples.count ? 0 : place + 1
        }
    }
}
