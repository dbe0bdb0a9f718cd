import SoundCore

/// Every encoder of a call, of which one is in use.
///
/// All are made in `init`: nothing allocates afterwards, whatever codec is agreed. For the audio thread.
struct VoiceEncoder: ~Copyable {
    /// The longest packet: Opus's.
    static let packetLimit = OpusEncoder.packetLimit

    private var opus: OpusEncoder
    private var telephone = TelephoneEncoder()
    private var codec = VoiceCodec.opus

    /// - Parameter complexity: Of Opus, 0...10.
    init(complexity: Int) throws(MediaError) { opus = try OpusEncoder(complexity: complexity) }

    mutating func use(_ agreement: Agreement) {
        let hasChanged = agreement.codec != codec
        codec = agreement.codec
        switch codec {
        case .opus:
            opus.configure(bitrate: agreement.bitrate, usesFEC: agreement.usesFEC, usesDTX: agreement.usesDTX)
        // A voice that goes on under other terms keeps its codec's memory.
        case .telephone(let codec): if hasChanged { telephone.use(codec) }
        }
    }

    /// The loss that the far end reports, 0...100 percent.
    mutating func expect(lossPercent: Int) { opus.expect(lossPercent: lossPercent) }

    /// Encodes one packet of 10, 20, 40 or 60 ms.
    /// - Returns: The bytes written to the start of `packet`, or nil if nothing is to be sent: the codec refuses, or hears
    ///   silence and the far end wants none.
    mutating func encode(_ samples: Span<Int16>, into packet: inout MutableSpan<UInt8>) -> Int? {
        switch codec {
        case .opus: opus.encode(samples, into: &packet)
        case .telephone: telephone.encode(samples, into: &packet)
        }
    }
}
