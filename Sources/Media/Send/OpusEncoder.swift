import COpus
import RTPCore

/// Owns one libopus encoder for speech at 48 kHz. It is freed exactly once, because it cannot be copied.
///
/// After `init` nothing allocates; libopus works on the stack. For the audio thread.
@safe
struct OpusEncoder: ~Copyable {
    enum Purpose: Sendable {
        /// One channel, tuned for a voice.
        case call
        /// Two interleaved channels that must stay separate. The mode for a voice would leak a tenth of one into the
        /// other.
        case recording

        var channels: Int { self == .call ? 1 : 2 }
    }

    /// The longest packet of one frame (RFC 6716 §3.4).
    static let packetLimit = 1_275

    private let raw: OpaquePointer
    private let channels: Int
    private var usesDTX = false

    /// - Parameter complexity: 0...10.
    init(complexity: Int, for purpose: Purpose = .call) throws(MediaError) {
        var code = OPUS_OK
        let application = purpose == .call ? OPUS_APPLICATION_VOIP : OPUS_APPLICATION_AUDIO
        guard let made = unsafe opus_encoder_create(48_000, Int32(purpose.channels), application, &code) else {
            throw .library("no Opus encoder", code)
        }
        unsafe raw = made
        channels = purpose.channels
        set(OPUS_SET_COMPLEXITY_REQUEST, Int32(complexity))
        if purpose == .call { set(OPUS_SET_SIGNAL_REQUEST, OPUS_SIGNAL_VOICE) }
    }

    deinit { unsafe opus_encoder_destroy(raw) }

    /// - Parameters:
    ///   - usesFEC: each packet also carries a coarse copy of its predecessor, once `spend` gets an expected loss.
    ///   - usesDTX: during silence only one packet in 400 ms is sent.
    mutating func configure(usesFEC: Bool, usesDTX: Bool = false) {
        self.usesDTX = usesDTX
        set(OPUS_SET_DTX_REQUEST, usesDTX ? 1 : 0)
        set(OPUS_SET_INBAND_FEC_REQUEST, usesFEC ? 1 : 0)
    }

    /// - Parameters:
    ///   - bitrate: bits a second, on average.
    ///   - lossPercent: the loss to expect on the network, 0...100.
    mutating func spend(bitrate: Int, lossPercent: Int = 0) {
        set(OPUS_SET_BITRATE_REQUEST, Int32(bitrate))
        set(OPUS_SET_PACKET_LOSS_PERC_REQUEST, Int32(lossPercent))
    }

    /// Encodes one packet of 10, 20, 40 or 60 ms.
    /// - Returns: The number of bytes written to the start of `packet`. Nil if libopus fails, or if the sound is
    ///   silence that need not be sent: libopus then returns at most two bytes.
    @_lifetime(packet: copy packet)
    mutating func encode(_ samples: Span<Int16>, into packet: inout MutableSpan<UInt8>) -> Int? {
        let count = unsafe samples.withUnsafeBufferPointer { sound in
            unsafe packet.withUnsafeMutableBufferPointer { bytes -> Int32 in
                guard let input = sound.baseAddress, let output = bytes.baseAddress else { return OPUS_BAD_ARG }
                return unsafe opus_encode(raw, input, Int32(sound.count / channels), output, Int32(bytes.count))
            }
        }
        return count > (usesDTX ? 2 : 0) ? Int(count) : nil
    }

    /// The number of samples by which decoded sound lags behind the encoder's input.
    var lookahead: Int { Int(unsafe copus_encoder_lookahead(raw)) }

    /// Changes a setting. libopus supports every request and value that we use, so this cannot fail.
    private func set(_ request: Int32, _ value: Int32) {
        let result = unsafe copus_encoder_set(raw, request, value)
        precondition(result == OPUS_OK, "libopus refuses setting \(request) to \(value)")
    }
}

/// Bit rates that an encoder may use for a voice, in bit/s.
struct Bitrates: Sendable {
    /// The bit rates that may be configured, and the usual one.
    static let voice = 6_000...128_000
    static let usualVoice = 32_000

    /// Opus has no lower bit rate (RFC 6716 §2.1.1).
    private static let least = 6_000

    private var usual = least
    private var repairing = least
    private var relieving = least

    init() {}

    /// - Parameters:
    ///   - maximum: the most that the far end allows (`maxaveragebitrate`, RFC 7587 §6.1).
    ///   - canRepair: whether the far end uses the redundancy that repeats a lost packet. Then half as many bits again
    ///     are well spent: at 32 kbit/s and 5 % lost, PESQ rises from 2.8 to 3.3.
    init(configured: Int, maximum: Int, canRepair: Bool) {
        usual = max(Self.least, min(configured, maximum))
        repairing = canRepair ? max(usual, min(usual * 3 / 2, maximum)) : usual
        relieving = max(Self.least, usual / 2)
    }

    subscript(response: LossResponse) -> Int {
        switch response {
        case .none: usual
        case .repair: repairing
        case .relieve: relieving
        }
    }
}
