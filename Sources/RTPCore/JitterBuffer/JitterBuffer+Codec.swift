extension JitterBuffer {
    /// Another codec speaks from now on: what waits is forgotten, and `Configuration.usesForwardCorrection` is that of
    /// the new one. The clock stays: a codec with another one has its timestamps multiplied before they come here,
    /// which is right across their wrap too, because 2³² ticks are none in either clock.
    public mutating func reset(usesForwardCorrection: Bool) {
        configuration.usesForwardCorrection = usesForwardCorrection
        reset()
    }
}
