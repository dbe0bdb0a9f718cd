import RTPCore
import SoundCore

/// All encoders of a call. One is in use at a time.
///
/// All are made in `init`, so nothing allocates afterwards, whatever codec is negotiated. For the audio thread.
struct VoiceEncoder: ~Copyable {
    /// The expected loss that libopus gets, whatever the actual loss is. It is the lowest percentage at which libopus
    /// repairs at 32 kbit/s, and the best one by PESQ at 5, 10 and 20 % lost. The higher the percentage, the more bits
    /// of a frame go to its predecessor.
    private static let repairedLossPercent = 7
    /// The longest packet, which is one of Opus.
    static let packetLimit = OpusEncoder.packetLimit

    private var opus: OpusEncoder
    private var telephone = TelephoneEncoder()
    private var codec = VoiceCodec.opus
    private var bitrates = Bitrates()
    private(set) var response = LossResponse.none

    /// - Parameter complexity: Of Opus, 0...10.
    init(complexity: Int) throws(MediaError) { self.init(opus: try OpusEncoder(complexity: complexity)) }

    // Swift 6.2 destroys initialised fields twice when an initialiser of a noncopyable type fails. This one cannot
    // fail.
    private init(opus: consuming OpusEncoder) { self.opus = opus }

    mutating func use(_ negotiated: PreparedMedia) {
        let hasChanged = negotiated.codec != codec
        codec = negotiated.codec
        switch codec {
        case .opus:
            opus.configure(usesFEC: negotiated.usesFEC, usesDTX: negotiated.usesDTX)
            bitrates = negotiated.bitrates
            respond(to: response)
        // A voice that continues under new terms keeps its codec's state.
        case .telephone(let codec): if hasChanged { telephone.use(codec) }
        }
    }

    /// Responds to lost packets, with Opus only: each packet also carries its predecessor if the far end can use that.
    mutating func respond(to response: LossResponse) {
        self.response = response
        opus.spend(bitrate: bitrates[response], lossPercent: response == .none ? 0 : Self.repairedLossPercent)
    }

    /// Encodes one packet of 10, 20, 40 or 60 ms.
    /// - Returns: The number of bytes written to the start of `packet`. Nil if there is nothing to send: the codec
    ///   fails, or the sound is silence that the far end does not want.
    @_lifetime(packet: copy packet)
    mutating func encode(_ samples: Span<Int16>, into packet: inout MutableSpan<UInt8>) -> Int? {
        switch codec {
        case .opus: opus.encode(samples, into: &packet)
        case .telephone: telephone.encode(samples, into: &packet)
        }
    }
}
