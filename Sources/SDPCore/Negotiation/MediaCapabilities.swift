import Base

/// Whether voice is protected (SRTP), and the source of its keys. Keys from a handshake are accepted wherever keys are.
public enum ProtectionPolicy: String, CaseIterable, Sendable {
    /// Offered as `RTP/SAVP`; a far end without protection is refused.
    case mandatory
    /// Offered as `RTP/SAVP`, and once more in clear to a far end that rejects that. Accepted with and without
    /// protection. Anyone who can change the signalling can listen.
    case offered
    /// Keys from a handshake on the media's path (DTLS) are offered as `UDP/TLS/RTP/SAVP`. A far end without them is
    /// rejected, because anyone who reads the signalling has the other keys.
    case dtls
    /// Neither offered nor accepted.
    case off
}

/// The capabilities of this phone for voice, from its configuration.
public struct MediaCapabilities: Equatable, Sendable {
    /// Codecs that we offer, in this order, and accept.
    public var codecs: [AudioCodec]
    /// Dynamic payload types that we offer; an answer uses those of the offer (RFC 3264 §6.1).
    public var opusPayloadType: UInt8
    public var eventPayloadType: UInt8
    public var narrowEventPayloadType: UInt8
    /// Length of the packets that we send unless the far end asks for another: 10, 20, 40 or 60.
    public var packetMilliseconds: Int
    /// The parameters for Opus that we receive.
    public var opus: OpusParameters
    public var protection: ProtectionPolicy
    /// The suites that we offer, best first. From a far end's offer we accept the first suite that we know, in the far
    /// end's order. A suite with a short tag must also be listed here.
    public var suites: [CryptoSuite]
    /// The fingerprint of this phone's certificate. Nil: without a certificate, keys from a handshake are neither
    /// offered nor accepted.
    public var fingerprint: CertificateFingerprint?
    /// The source of our packets, for descriptions with ICE only. Others do not need it, and datagrams are short.
    public var source: MediaSource?
    /// Whether to reject a far end without ICE, because it must not learn our addresses.
    public var requiresICE: Bool
    /// Whether this phone uses ICE with a far end that offers it.
    public var answersICE = false
    /// The address families of its sockets. Never empty.
    public var families: Set<IPFamily> = [.version4, .version6]

    public static let packetLengths = [10, 20, 40, 60]
    public static let longestPacketMilliseconds = 60

    /// Whether a number may be a payload type. On a shared port, 64...95 would be taken for RTCP packets (RFC 5761 §4).
    static func isPayloadType(_ type: UInt8) -> Bool { type < 64 || (96...127).contains(type) }

    /// The suite that every peer supports. Each key line of an offer takes a hundred bytes. With three of them an
    /// ordinary INVITE is too long for a datagram (RFC 3261 §18.1.1).
    public static let usualSuites: [CryptoSuite] = [.aes128Tag80]

    /// - Precondition: There is at least one codec and one suite, and each occurs once. `opusPayloadType` is in
    ///   96...125, because the next two payload types are used, too. Packets are 10, 20, 40 or 60 ms long. Handshakes
    ///   need a certificate.
    public init(
        codecs: [AudioCodec] = AudioCodec.allCases, opusPayloadType: UInt8 = 96, packetMilliseconds: Int = 20,
        maximumBitrate: Int? = nil, protection: ProtectionPolicy = .mandatory, suites: [CryptoSuite] = usualSuites,
        fingerprint: CertificateFingerprint? = nil, source: MediaSource? = nil, requiresICE: Bool = false
    ) {
        precondition(!codecs.isEmpty && Set(codecs).count == codecs.count, "codecs, each once")
        precondition(!suites.isEmpty && Set(suites).count == suites.count, "suites, each once")
        precondition((96...125).contains(opusPayloadType), "the payload types are dynamic")
        precondition(Self.packetLengths.contains(packetMilliseconds), "packets are 10, 20, 40 or 60 ms")
        precondition(protection != .dtls || fingerprint != nil, "a handshake needs a certificate")
        self.codecs = codecs
        self.opusPayloadType = opusPayloadType
        self.eventPayloadType = opusPayloadType + 1
        self.narrowEventPayloadType = opusPayloadType + 2
        self.packetMilliseconds = packetMilliseconds
        self.opus = OpusParameters()
        self.opus.usesFEC = true
        self.opus.maximumBitrate = maximumBitrate
        self.protection = protection
        self.suites = suites
        self.fingerprint = fingerprint
        self.source = source
        self.requiresICE = requiresICE
    }

    /// Whether we accept a suite that the far end offers.
    func takes(_ suite: CryptoSuite) -> Bool { !suite.hasShortTag || suites.contains(suite) }

    var offeredCodecs: [AudioLine.Codec] {
        codecs.map { codec in
            AudioLine.Codec(
                name: codec, payloadType: codec.staticPayloadType ?? opusPayloadType, parameters: opus)
        }
    }

    /// Payload types of events by clock rate.
    var offeredEvents: [Int: UInt8] {
        let types = [48_000: eventPayloadType, 8_000: narrowEventPayloadType]
        let rates = Set(codecs.flatMap(\.eventRates))
        return types.filter { rates.contains($0.key) }
    }
}
