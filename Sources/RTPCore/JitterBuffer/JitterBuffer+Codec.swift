extension JitterBuffer {
    /// The stream continues with another codec of the same clock. `usesForwardCorrection`: whether its packets can
    /// repair the loss of the packet before.
    public mutating func repairsLoss(_ usesForwardCorrection: Bool) {
        configuration.usesForwardCorrection = usesForwardCorrection
    }

    /// Prepares for another codec: waiting packets are dropped, and `Configuration.usesForwardCorrection` takes the
    /// value of the new codec. The clock stays the same. For a codec with another clock rate the caller multiplies the
    /// timestamps before it inserts the packets. This is correct across their wrap too, because a multiple of 2³² ticks
    /// is 0 on the wire.
    public mutating func reset(usesForwardCorrection: Bool) {
        configuration.usesForwardCorrection = usesForwardCorrection
        reset()
    }
}
