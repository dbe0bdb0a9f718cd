extension MutableSpan<Int16> {
    /// Copies `samples` to `place`. There is only one check for all of them, so that the compiler copies sixteen at a
    /// time.
    /// - Precondition: there is room.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func put(_ samples: Span<Int16>, at place: Int) {
        precondition(place >= 0 && place <= count - samples.count, "no room for the samples")
        for index in 0..<samples.count { self[place &+ index] = samples[index] }
    }
}
