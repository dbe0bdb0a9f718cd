import SoundCore

/// The properties that change when a decoder switches to another codec.
package struct DecoderTurn {
    let concealment: ConcealmentFade.Concealment
    let usesForwardCorrection: Bool
}

/// Decodes payloads to samples. Lengths are in samples of the phone's own format.
package protocol PlayoutDecoder: ~Copyable {
    /// Samples of the longest payload.
    static var sampleLimit: Int { get }
    /// Concealment works in whole steps of this many samples.
    static var concealmentStep: Int { get }
    /// The least number of samples that are concealed at a time.
    static var shortestConcealment: Int { get }

    /// Prepares for a packet with this payload type. Far ends may change the codec from one packet to the next.
    /// - Returns: Nil if the codec stays the same.
    mutating func turn(to payloadType: UInt8) -> DecoderTurn?

    /// Whether packets with this payload type use the current codec.
    func isReady(for payloadType: UInt8) -> Bool

    /// - Returns: The samples written, or nil for an invalid packet.
    @_lifetime(samples: copy samples)
    mutating func decode(_ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Decodes the redundant copy of the packet before this one, which was lost and had `count` samples. Nil if the
    /// packet has no such copy.
    @_lifetime(samples: copy samples)
    mutating func recover(_ count: Int, from packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Conceals about `count` samples from the sound before; nil if it cannot.
    mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int?
}

extension PlayoutDecoder where Self: ~Copyable {
    package mutating func turn(to payloadType: UInt8) -> DecoderTurn? { nil }
    package func isReady(for payloadType: UInt8) -> Bool { true }
}
