/// Decodes payloads to samples. Lengths are in samples of the phone's own format.
package protocol PlayoutDecoder: ~Copyable {
    /// Samples of the longest payload.
    static var sampleLimit: Int { get }
    /// Concealment works in whole steps of this many samples.
    static var concealmentStep: Int { get }
    /// The least number of samples that are concealed at a time.
    static var shortestConcealment: Int { get }

    /// - Returns: The samples written, or nil for bytes that are no packet.
    @_lifetime(samples: copy samples)
    mutating func decode(_ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Decodes the redundant copy of the packet before this one, which was lost and had `count` samples; nil when there
    /// is no such copy.
    @_lifetime(samples: copy samples)
    mutating func recover(_ count: Int, from packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Conceals about `count` samples from the sound before; nil where it cannot.
    mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int?
}
