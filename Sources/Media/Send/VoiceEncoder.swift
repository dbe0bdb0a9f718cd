import RTPCore
import SoundCore

/// All encoders of a call, of which one is in use.
///
/// All are made in `init`, so nothing allocates afterwards, whichever codec is agreed. For the audio thread.
struct VoiceEncoder: ~Copyable {
    /// The loss that libopus is told, whatever the actual loss is. It is the lowest percentage at which libopus repairs
    /// at 32 kbit/s, and the best one by PESQ at 5, 10 and 20 % lost. The higher the percentage, the more bits of a
    /// frame go to its predecessor.
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

    // Swift 6.2 destroys twice what has a value when an initialiser of a noncopyable type fails: this one cannot fail.
    private init(opus: consuming OpusEncoder) { self.opus = opus }

    mutating func use(_ negotiated: PreparedMedia) {
        let hasChanged = negotiated.codec != codec
        codec = negotiated.codec
        switch codec {
        case .opus:
            opus.configure(usesFEC: negotiated.usesFEC, usesDTX: negotiated.usesDTX)
            bitrates = negotiated.bitrates
            respond(to: response)
        // A voice that continues under other terms keeps its codec's state.
        case .telephone(let codec): if hasChanged { telephone.use(codec) }
        }
    }

    /// Responds to lost packets, with Opus only: each packet also carries its predecessor if the far end can use that.
    mutating func respond(to response: LossResponse) {
        self.response = response
        opus.spend(bitrate: bitrates[response], lossPercent: response == .none ? 0 : Self.repairedLossPercent)
    }

    /// Encodes one packet of 10, 20, 40 or 60 ms.
    /// - Returns: The number of bytes written to the start of `packet`, or nil if nothing is to be sent: the codec
    ///   refuses, or the sound is silence and the far end wants none.
    @_lifetime(packet: copy packet)
    mutating func encode(_ samples: Span<Int16>, into packet: inout MutableSpan<UInt8>) -> Int? {
        switch codec {
        case .opus: opus.encode(samples, into: &packet)
        case .telephone: telephone.encode(samples, into: &packet)
        }
    }
}
