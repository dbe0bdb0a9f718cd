/// What makes samples of payloads. Lengths are in samples of the phone's own format.
package protocol PlayoutDecoder: ~Copyable {
    /// What the longest payload holds.
    static var sampleLimit: Int { get }

    /// - Returns: The samples written, or nil for bytes that are no packet.
    mutating func decode(_ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Decodes what a packet says about the one before it, which was lost and had `count` samples; nil when it says
    /// nothing.
    mutating func recover(_ count: Int, from packet: Span<UInt8>, into samples: inout MutableSpan<Int16>) -> Int?

    /// Invents about `count` samples from what went before; nil where it cannot.
    mutating func conceal(_ count: Int, into samples: inout MutableSpan<Int16>) -> Int?
}
