import Base

/// An address for packets: a numeric host and a port.
public struct PacketAddress: Hashable, Sendable {
    public var host: String
    public var port: UInt16
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// What offer and answer settled for the voice of one call.
public struct NegotiatedMedia: Equatable, Sendable {
    /// A payload type for telephone events (RFC 4733) and the clock it counts in.
    public struct Events: Equatable, Sendable {
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8
        public var clockRate: Int
    }

    /// Payload types of packets that repeat the voice before them (RFC 2198).
    public struct Redundancy: Equatable, Sendable {
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8
    }

    public struct Protection: Equatable, Sendable {
        public var suite: CryptoSuite
        public var sendKey: SecretBytes
        public var receiveKey: SecretBytes
    }

    public var remote: PacketAddress
    /// Nil when control packets share the voice's port (RFC 5761).
    public var remoteControl: PacketAddress?
    public var codec: AudioCodec
    public var sendPayloadType: UInt8
    public var receivePayloadType: UInt8
    /// Length of the packets that we send: 10, 20, 40 or 60.
    public var packetMilliseconds: Int
    /// What the far end wants to receive, in Opus.
    public var farEnd: OpusParameters
    public var events: Events?
    /// Nil when the far end takes none.
    public var redundancy: Redundancy?
    /// Extended reports that the far end asks for; nil when it knows of none.
    public var reports: RequestedReports?
    /// Nil is voice in clear.
    public var protection: Protection?
    /// As we see it.
    public var direction: Direction
    /// The far end does not want our voice: it holds us.
    public var heldByFarEnd: Bool
}

/// Why two descriptions do not make a session.
public enum NegotiationError: Error, Equatable, Sendable {
    /// No audio line, or only refused ones.
    case noAudio
    /// A transport other than RTP over UDP with or without SDES (DTLS, for example).
    case unsupportedTransport(String)
    case noCommonCodec
    /// Our policy asks for protection, and the far end has none that we can use.
    case protectionRequired
    /// The far end asks for protection, and our policy forbids it or we cannot use its keys.
    case protectionUnsupported
    /// The far end's address is a name, a multicast group, or missing.
    case unusableAddress
    /// An answer whose lines are not those of the offer (RFC 3264 §6).
    case answerDoesNotMatch
}
