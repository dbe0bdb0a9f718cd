import Base

/// The codecs for voice.
public enum AudioCodec: String, CaseIterable, Codable, Sendable { case opus, g722, pcma, pcmu }

/// How SRTP protects packets, by the names of RFC 4568 §6.2, RFC 6188 §4 and RFC 7714 §14.2.
public enum CryptoSuite: String, CaseIterable, Codable, Sendable {
    case aes128Tag80 = "AES_CM_128_HMAC_SHA1_80"
    case aes128Tag32 = "AES_CM_128_HMAC_SHA1_32"
    case aes256Tag80 = "AES_256_CM_HMAC_SHA1_80"
    case aes256Tag32 = "AES_256_CM_HMAC_SHA1_32"
    case gcm128 = "AEAD_AES_128_GCM"
    case gcm256 = "AEAD_AES_256_GCM"

    /// Octets of a master key with its salt. The salt has 14 octets, with GCM 12 (RFC 3711 §8.2, RFC 6188 §3.2, RFC
    /// 7714 §11).
    public var keyLength: Int {
        switch self {
        case .aes128Tag80, .aes128Tag32: 16 + 14
        case .aes256Tag80, .aes256Tag32: 32 + 14
        case .gcm128: 16 + 12
        case .gcm256: 32 + 12
        }
    }
}

/// The media terms that both ends agreed on: everything that Media needs, without the negotiation.
public struct NegotiatedMedia: Equatable, Codable, Sendable {
    /// How voice is coded, both ways.
    public struct Codec: Equatable, Codable, Sendable {
        public var name: AudioCodec
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8
        /// The length of the packets that we send: 10, 20, 40 or 60 ms.
        public var packetMilliseconds: Int
        /// Opus only: the most bits a second that the far end accepts (RFC 7587 `maxaveragebitrate`); nil is its
        /// default.
        public var maximumBitrate: Int?
        /// Opus only: whether the far end uses in-band error correction (RFC 7587 `useinbandfec`).
        public var farEndUsesFEC: Bool
        /// Opus only: whether the far end prefers no packets to silence (RFC 7587 `usedtx`).
        public var farEndUsesDTX: Bool

        public init(
            _ name: AudioCodec = .opus, sendPayloadType: UInt8, receivePayloadType: UInt8, packetMilliseconds: Int,
            maximumBitrate: Int? = nil, farEndUsesFEC: Bool, farEndUsesDTX: Bool = false
        ) {
            self.name = name
            self.sendPayloadType = sendPayloadType
            self.receivePayloadType = receivePayloadType
            self.packetMilliseconds = packetMilliseconds
            self.maximumBitrate = maximumBitrate
            self.farEndUsesFEC = farEndUsesFEC
            self.farEndUsesDTX = farEndUsesDTX
        }
    }

    /// A format in which the far end may send its voice.
    public struct Format: Hashable, Codable, Sendable {
        public var codec: AudioCodec
        public var payloadType: UInt8

        public init(_ codec: AudioCodec, payloadType: UInt8) { (self.codec, self.payloadType) = (codec, payloadType) }
    }

    /// A payload type that carries telephone events (RFC 4733), and the clock it counts in.
    public struct TelephoneEvents: Equatable, Codable, Sendable {
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8
        /// Other payload types under which the far end may send events. Nil: none.
        public var otherPayloadTypes: [UInt8]?
        public var clockRate: Int

        public init(
            sendPayloadType: UInt8, receivePayloadType: UInt8, otherPayloadTypes: [UInt8] = [], clockRate: Int
        ) {
            self.sendPayloadType = sendPayloadType
            self.receivePayloadType = receivePayloadType
            self.otherPayloadTypes = otherPayloadTypes.isEmpty ? nil : otherPayloadTypes
            self.clockRate = clockRate
        }
    }

    /// Packets that repeat the voice before them (RFC 2198).
    public struct Redundancy: Equatable, Codable, Sendable {
        public var sendPayloadType: UInt8
        public var receivePayloadType: UInt8

        public init(sendPayloadType: UInt8, receivePayloadType: UInt8) {
            self.sendPayloadType = sendPayloadType
            self.receivePayloadType = receivePayloadType
        }
    }

    /// Extended reports (RFC 3611) that the far end asks for.
    public struct Reports: Equatable, Codable, Sendable {
        /// We send our reference time, and the far end's answer to it gives the round-trip time (RFC 3611 §4.4, §4.5).
        public var roundTrip: Bool
        /// These three are parts of a statistics summary.
        public var loss: Bool
        public var duplicates: Bool
        public var jitter: Bool
        /// VoIP metrics.
        public var voice: Bool

        public init(
            roundTrip: Bool = false, loss: Bool = false, duplicates: Bool = false, jitter: Bool = false,
            voice: Bool = false
        ) {
            self.roundTrip = roundTrip
            self.loss = loss
            self.duplicates = duplicates
            self.jitter = jitter
            self.voice = voice
        }
    }

    public var remote: MediaAddress
    /// Nil when control packets share the voice's port (RFC 5761).
    public var remoteControl: MediaAddress?
    public var codec: Codec
    /// Other formats in which the far end may send at any time (RFC 3264 §6.1). Nil: none.
    public var otherFormats: [Format]?
    /// Nil when the far end accepts no telephone events.
    public var telephoneEvents: TelephoneEvents?
    /// Nil when the far end accepts none.
    public var redundancy: Redundancy?
    /// Nil when the far end asks for none.
    public var reports: Reports?
    /// Where the keys of SRTP come from. Nil: unencrypted voice, which only an explicit configuration allows.
    public var protection: Protection?
    /// How the two ends find a path to each other. Nil: the far end is at `remote`.
    public var ice: ICESession?
    /// Whether we may send voice, and whether the far end does. Both false: held by both.
    public var sends: Bool
    public var receives: Bool

    public init(
        remote: MediaAddress, remoteControl: MediaAddress? = nil, codec: Codec, otherFormats: [Format] = [],
        telephoneEvents: TelephoneEvents? = nil,
        redundancy: Redundancy? = nil, reports: Reports? = nil, protection: Protection? = nil, ice: ICESession? = nil,
        sends: Bool, receives: Bool
    ) {
        self.remote = remote
        self.remoteControl = remoteControl
        self.codec = codec
        self.otherFormats = otherFormats.isEmpty ? nil : otherFormats
        self.telephoneEvents = telephoneEvents
        self.redundancy = redundancy
        self.reports = reports
        self.protection = protection
        self.ice = ice
        self.sends = sends
        self.receives = receives
    }
}

extension NegotiatedMedia {
    /// Both ends' candidates. ICE finds a pair that works (RFC 8445). Other credentials than before start another
    /// session.
    public struct ICESession: Hashable, Codable, Sendable {
        public var local: ICEDescription
        public var remote: ICEDescription
        /// Whether this phone chooses the path.
        public var isControlling: Bool
        /// Whether voice and RTCP share the port that was bound for RTCP. Nil: no, they use the voice port.
        public var usesControlPort: Bool?

        public init(
            local: ICEDescription, remote: ICEDescription, isControlling: Bool, usesControlPort: Bool? = nil
        ) {
            self.local = local
            self.remote = remote
            self.isControlling = isControlling
            self.usesControlPort = usesControlPort
        }
    }
}

extension NegotiatedMedia {
    /// A master key and salt of SRTP for each direction (RFC 3711 §3.2.1).
    public struct MasterKeys: Equatable, Codable, Sendable {
        public var suite: CryptoSuite
        /// 28 to 46 octets, by the suite.
        public var sendKey: SecretBytes
        public var receiveKey: SecretBytes
        /// The key identifier (MKI) in each packet of the far end (RFC 3711 §3.1). Nil: its packets have none.
        public var receiveKeyIdentifier: [UInt8]?

        public init(
            suite: CryptoSuite, sendKey: SecretBytes, receiveKey: SecretBytes, receiveKeyIdentifier: [UInt8] = []
        ) {
            self.suite = suite
            self.sendKey = sendKey
            self.receiveKey = receiveKey
            self.receiveKeyIdentifier = receiveKeyIdentifier.isEmpty ? nil : receiveKeyIdentifier
        }
    }

    /// SRTP by DTLS (RFC 5763): the keys come from a handshake on the media path with the peer that the signalling
    /// names. Other values in the same call are another association, and need another handshake.
    public struct DTLSAssociation: Equatable, Codable, Sendable {
        /// Whether this phone begins the handshake.
        public var isActive: Bool
        /// SHA-256 of the certificates that the far end may show, 32 octets each.
        public var fingerprints: [[UInt8]]
        /// The number of the association in its call, counted from 0. Nil: the first.
        public var number: UInt32?

        public init(isActive: Bool, fingerprints: [[UInt8]], number: UInt32? = nil) {
            self.isActive = isActive
            self.fingerprints = fingerprints
            self.number = number
        }
    }

    /// Where the keys of SRTP come from.
    public enum Protection: Equatable, Sendable {
        /// The signalling brings them (RFC 4568).
        case sdes(MasterKeys)
        case dtls(DTLSAssociation)
    }

    /// Nil unless the keys come from the signalling.
    public var sdes: MasterKeys? { if case .sdes(let keys)? = protection { keys } else { nil } }
    /// Nil unless the keys come from a handshake.
    public var dtls: DTLSAssociation? { if case .dtls(let association)? = protection { association } else { nil } }
}

extension NegotiatedMedia.Protection: Codable {
    /// Distinguishes a DTLS association from SDES keys, which event logs write without a name around them.
    private enum CodingKeys: String, CodingKey { case isActive }

    public init(from decoder: any Decoder) throws {
        let isDTLS = try decoder.container(keyedBy: CodingKeys.self).contains(.isActive)
        self = try isDTLS ? .dtls(.init(from: decoder)) : .sdes(.init(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .sdes(let keys): try keys.encode(to: encoder)
        case .dtls(let association): try association.encode(to: encoder)
        }
    }
}
