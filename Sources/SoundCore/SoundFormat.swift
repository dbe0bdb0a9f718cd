/// The one format inside the phone: 48 kHz, mono, 16 bits.
public enum SoundFormat {
    public static let sampleRate = 48_000
    public static let samplesPerMillisecond = sampleRate / 1_000
    /// The length of every fade that avoids a click.
    public static let edgeMilliseconds = 5
    public static let edgeSamples = edgeMilliseconds * samplesPerMillisecond
}

extension MutableSpan<Int16> {
    /// Copies `samples` to `place`. One check covers all of them, so that the compiler copies sixteen at a time.
    /// - Precondition: the samples fit.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func put(_ samples: Span<Int16>, at place: Int) {
        precondition(place >= 0 && place <= count - samples.count, "no room for the samples")
        for index in 0..<samples.count { self[place &+ index] = samples[index] }
    }
}
