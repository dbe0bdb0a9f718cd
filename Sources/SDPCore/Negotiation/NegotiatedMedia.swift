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

/// The result of offer and answer for the voice of one call.
public struct NegotiatedMedia: Equatable, Sendable {
    /// The payload types of telephone events (RFC 4733) and the clock rate of those that we send.
    public struct Events: Equatable, Sendable {
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8
        /// Other payload types with which the far end may send events. They may have another clock.
        public var otherPayloadTypes: [UInt8]
        public var clockRate: Int
    }

    /// A format in which the far end may send its voice.
    public struct Format: Equatable, Sendable {
        public var codec: AudioCodec
        public var payloadType: UInt8

        public init(_ codec: AudioCodec, _ payloadType: UInt8) { (self.codec, self.payloadType) = (codec, payloadType) }
    }

    /// Payload types of redundant audio (RFC 2198).
    public struct Redundancy: Equatable, Sendable {
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8
    }

    /// SRTP with keys from the signalling (RFC 4568).
    public struct SDESKeys: Equatable, Sendable {
        public var suite: CryptoSuite
        public var sendKey: SecretBytes
        public var receiveKey: SecretBytes
        /// The key identifier (MKI) in each of the far end's packets. Empty: its packets have none.
        public var receiveKeyIdentifier: [UInt8]

        /// - Parameters:
        ///   - own: Our key line.
        /// - theirs: The far end's key line, with the same tag.
        init(own: CryptoAttribute, theirs: CryptoAttribute) {
            (suite, sendKey, receiveKey) = (own.suite, own.key, theirs.key)
            receiveKeyIdentifier = theirs.keyIdentifier
        }
    }

    /// SRTP with keys from a handshake on the media's path (RFC 5763).
    public struct DTLSAssociation: Equatable, Sendable {
        /// Whether we begin the handshake.
        public var isActive: Bool
        /// The far end must show a certificate with one of these. Never empty.
        public var fingerprints: [CertificateFingerprint]
        /// The number of the association in the call, counted from 0. With the next number, the same role and
        /// fingerprints mean another handshake with the same far end.
        public var number: UInt32
        /// The far end's name for it (`a=tls-id`). Nil: it gives no name.
        var name: String?

        public init(
            isActive: Bool, fingerprints: [CertificateFingerprint], number: UInt32 = 0, name: String? = nil
        ) {
            (self.isActive, self.fingerprints, self.number, self.name) = (isActive, fingerprints, number, name)
        }
    }

    public enum Protection: Equatable, Sendable {
        case sdes(SDESKeys)
        case dtls(DTLSAssociation)

        /// The suite of keys from the signalling.
        var suite: CryptoSuite? { if case .sdes(let keys) = self { keys.suite } else { nil } }
        var isHandshake: Bool { if case .dtls = self { true } else { false } }
    }

    /// Both ends' candidates. ICE finds a pair that works.
    public struct ICESession: Equatable, Sendable {
        public var local: ICEDescription
        public var remote: ICEDescription
        /// Whether we choose the path.
        public var isControlling: Bool
        /// Whether our voice uses the port for its reports.
        public var usesControlPort = false
    }

    public var remote: PacketAddress
    /// Nil if RTCP packets share the port of the RTP packets (RFC 5761).
    public var remoteControl: PacketAddress?
    public var codec: AudioCodec
    public var sendPayloadType: UInt8
    public var receivePayloadType: UInt8
    /// Other formats in which the far end may send at any time (RFC 3264 §6.1).
    public var otherFormats: [Format]
    /// Length of the packets that we send: 10, 20, 40 or 60.
    public var packetMilliseconds: Int
    /// The far end's parameters for Opus that it receives.
    public var farEnd: OpusParameters
    public var events: Events?
    /// Nil if the far end does not accept redundant audio.
    public var redundancy: Redundancy?
    /// Extended reports that the far end requests. Nil if it mentions none.
    public var reports: RequestedReports?
    /// Nil for unprotected voice.
    public var protection: Protection?
    /// How the two ends find a path to each other (RFC 8445). Nil: the far end is at `remote`.
    public var ice: ICESession?
    /// Whether the far end waits for ICE that we do not do. Asterisk drops DTLS packets until its checks are done. An
    /// offer without ICE ends the wait.
    public var isAwaitedByICE: Bool
    /// The direction from our point of view.
    public var direction: Direction
    /// Whether the far end holds us, and so does not want our voice.
    public var heldByFarEnd: Bool

    /// Nil unless the keys are from the signalling.
    public var sdes: SDESKeys? { if case .sdes(let keys)? = protection { keys } else { nil } }
    /// Nil unless the keys are from a handshake.
    public var dtls: DTLSAssociation? { if case .dtls(let association)? = protection { association } else { nil } }
}

/// Why two descriptions do not make a session.
public enum NegotiationError: Error, Equatable, Sendable {
    /// There is no audio line, or all are refused ones.
    case noAudio
    /// The transport is not RTP over UDP.
    case unsupportedTransport(String)
    case noCommonCodec
    /// Our policy requires protection, and the far end has none that we can use.
    case protectionRequired
    /// The far end requires protection, and our policy forbids it or we cannot use its keys.
    case protectionUnsupported
    /// The far end's address is missing, is a name, is not a unicast address, or is of a family that we do not have.
    case unusableAddress
    /// This phone may be reached only through a server, and the far end does not use ICE.
    case iceRequired
    /// The lines of the answer are not those of the offer (RFC 3264 §6).
    case answerDoesNotMatch
}
