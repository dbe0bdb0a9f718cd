/// The names and numbers of the codecs in descriptions.
extension AudioCodec {
    /// Ticks per second of its RTP clock. G.722 has twice as many samples as its clock shows, because of an old error
    /// (RFC 3551 §4.5.2).
    public var clockRate: Int {
        switch self {
        case .opus: 48_000
        case .g722, .pcma, .pcmu: 8_000
        }
    }

    /// The payload type of the codec without an `a=rtpmap` (RFC 3551 §6).
    public var staticPayloadType: UInt8? {
        switch self {
        case .opus: nil
        case .g722: 9
        case .pcma: 8
        case .pcmu: 0
        }
    }

    /// Clock rates of telephone events with this codec, best first. The codec's own comes first (RFC 4733 §2.5.1.2, RFC
    /// 7587 §4.1), then 8000 Hz, which every peer supports.
    var eventRates: [Int] { clockRate == 8_000 ? [8_000] : [clockRate, 8_000] }

    /// The encoding in `a=rtpmap`. Opus always has two channels there, regardless of what is sent (RFC 7587 §7).
    var encoding: String {
        switch self {
        case .opus: "opus/48000/2"
        case .g722: "G722/8000"
        case .pcma: "PCMA/8000"
        case .pcmu: "PCMU/8000"
        }
    }

    /// The encoding of redundant audio of this codec in `a=rtpmap`, with its clock and its channels (RFC 2198 §5).
    var redundantEncoding: String { "red" + encoding.drop { $0 != "/" } }

    /// The codecs by their encodings in lower case.
    private static let byEncoding = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { codec in
            ([codec.encoding.lowercased()] + codec.otherEncodings).map { ($0, codec) }
        })

    /// Other encodings, in lower case. A single channel may be written or left out. Some devices leave out the clock of a
    /// static type, give the sampling rate of G.722 as its clock, or omit the channels of Opus.
    private var otherEncodings: [String] {
        switch self {
        case .opus: ["opus/48000", "opus/48000/1"]
        case .g722: ["g722/8000/1", "g722/16000", "g722/16000/1", "g722"]
        case .pcma: ["pcma/8000/1", "pcma"]
        case .pcmu: ["pcmu/8000/1", "pcmu"]
        }
    }

    /// Reads the text after the payload type of an `a=rtpmap`, in any case.
    init?(encoding: Substring) {
        guard let codec = Self.byEncoding[encoding.lowercased()] else { return nil }
        self = codec
    }

    init?(staticPayloadType: UInt8) {
        guard let codec = Self.allCases.first(where: { $0.staticPayloadType == staticPayloadType }) else { return nil }
        self = codec
    }
}

/// The wishes of an Opus receiver, as stated in its `a=fmtp` (RFC 7587 §6.1).
public struct OpusParameters: Equatable, Sendable {
    public static let bitrates = 6_000...510_000

    /// Bits per second. Nil: the receiver's default.
    public var maximumBitrate: Int?
    public var usesFEC = false
    public var usesDTX = false

    public init() {}

    /// Reads the known parameters and ignores others (RFC 7587 §7).
    public init(formatParameters text: Substring) {
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let name = pair[0].filter { $0 != " " }.lowercased()
            guard let number = Int(pair[1].filter { $0 != " " }) else { continue }
            switch name {
            case "useinbandfec": usesFEC = number == 1
            case "usedtx": usesDTX = number == 1
            case "maxaveragebitrate":
                maximumBitrate = min(max(number, Self.bitrates.lowerBound), Self.bitrates.upperBound)
            default: break
            }
        }
    }

    public var formatParameters: String {
        var parts = ["minptime=\(MediaCapabilities.packetLengths[0])", "useinbandfec=\(usesFEC ? 1 : 0)"]
        if usesDTX { parts.append("usedtx=1") }
        if let maximumBitrate { parts.append("maxaveragebitrate=\(maximumBitrate)") }
        return parts.joined(separator: ";")
    }
}
