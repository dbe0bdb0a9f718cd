import RTPCore
import SoundCore

/// Every encoder of a call, of which one is in use.
///
/// All are made in `init`: nothing allocates afterwards, whatever codec is agreed. For the audio thread.
struct VoiceEncoder: ~Copyable {
    /// What libopus is told of loss, whatever it is. The first percentage at which it repairs at 32 kbit/s, and the best one
    /// by PESQ at 5, 10 and 20 % lost: the more it is told, the more it takes from the frame for its predecessor.
    private static let repairedLossPercent = 7
    /// The longest packet: Opus's.
    static let packetLimit = OpusEncoder.packetLimit

    private var opus: OpusEncoder
    private var telephone = TelephoneEncoder()
    private var codec = VoiceCodec.opus
    private var bitrates = Bitrates()
    private(set) var response = LossResponse.none

    /// - Parameter complexity: Of Opus, 0...10.
    init(complexity: Int) throws(MediaError) { opus = try OpusEncoder(complexity: complexity) }

    mutating func use(_ negotiated: PreparedMedia) {
        let hasChanged = negotiated.codec != codec
        codec = negotiated.codec
        switch codec {
        case .opus:
            opus.configure(usesFEC: negotiated.usesFEC, usesDTX: negotiated.usesDTX)
            bitrates = negotiated.bitrates
            respond(to: response)
        // A voice that goes on under other terms keeps its codec's memory.
        case .telephone(let codec): if hasChanged { telephone.use(codec) }
        }
    }

    /// Of Opus alone: where packets get lost each carries its predecessor, too, if the far end can use that.
    mutating func respond(to response: LossResponse) {
        self.response = response
        opus.spend(bitrate: bitrates[response], lossPercent: response == .none ? 0 : Self.repairedLossPercent)
    }

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
