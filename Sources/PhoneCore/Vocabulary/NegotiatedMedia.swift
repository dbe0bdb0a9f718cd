import Base

/// An address for packets: a numeric host and a port.
public struct MediaAddress: Hashable, Codable, Sendable {
    public let host: String
    public let port: UInt16
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// The identifiers of this phone's packets in a call (RFC 3550 §3).
public struct MediaSource: Hashable, Codable, Sendable {
    public let ssrc: UInt32
    /// The CNAME.
    public let canonicalName: String

    public init(ssrc: UInt32, canonicalName: String) {
        self.ssrc = ssrc
        self.canonicalName = canonicalName
    }
}

/// Where this phone receives a call's packets. Control packets (RTCP) arrive at `port` too if they are multiplexed,
/// else at `port + 1`.
public struct MediaEndpoint: Hashable, Codable, Sendable {
    public let port: UInt16
    /// The candidates of this phone. Nil: it does no ICE in this call.
    public let ice: LocalICE?
    /// SHA-256 of the certificate that only this call shows in handshakes. Nil: it shows the phone's certificate.
    public let fingerprint: [UInt8]?
    /// Nil: the call's description does not say.
    public let source: MediaSource?

    public init(port: UInt16, ice: LocalICE? = nil, fingerprint: [UInt8]? = nil, source: MediaSource? = nil) {
        self.port = port
        self.ice = ice
        self.fingerprint = fingerprint
        self.source = source
    }
}

/// The media terms that both ends agreed on: everything that Media needs, without the negotiation.
public struct NegotiatedMedia: Equatable, Codable, Sendable {
    /// How voice is coded, both ways.
    public struct Codec: Equatable, Codable, Sendable {
        public enum Name: String, CaseIterable, Codable, Sendable { case opus, g722, pcma, pcmu }

        public var name: Name
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
            _ name: Name = .opus, sendPayloadType: UInt8, receivePayloadType: UInt8, packetMilliseconds: Int,
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
        public var codec: Codec.Name
        public var payloadType: UInt8

        public init(_ codec: Codec.Name, payloadType: UInt8) { (self.codec, self.payloadType) = (codec, payloadType) }
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

        public init(roundTrip: Bool, loss: Bool, duplicates: Bool, jitter: Bool, voice: Bool) {
            self.roundTrip = roundTrip
            self.loss = loss
            self.duplicates = duplicates
            self.jitter = jitter
            self.voice = voice
        }
    }

    /// How SRTP protects packets (RFC 4568 §6.2, RFC 6188 §4, RFC 7714 §14.2).
    public enum CryptoSuite: String, CaseIterable, Codable, Sendable {
        case aes128Tag80 = "AES_CM_128_HMAC_SHA1_80"
        case aes128Tag32 = "AES_CM_128_HMAC_SHA1_32"
        case aes256Tag80 = "AES_256_CM_HMAC_SHA1_80"
        case aes256Tag32 = "AES_256_CM_HMAC_SHA1_32"
        case gcm128 = "AEAD_AES_128_GCM"
        case gcm256 = "AEAD_AES_256_GCM"
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

/// One end's ICE credentials and candidates (RFC 8839). PhoneCore only passes them on.
public struct ICEDescription: Hashable, Codable, Sendable {
    public var userFragment: String
    public var password: SecretBytes
    /// The candidates in the syntax of RFC 8839 §5.1. The far end's are unchecked text.
    public var candidates: [String]
    /// Whether the end only answers checks (RFC 8445 §2.5).
    public var isLite: Bool

    public init(userFragment: String, password: SecretBytes, candidates: [String], isLite: Bool = false) {
        self.userFragment = userFragment
        self.password = password
        self.candidates = candidates
        self.isLite = isLite
    }
}

/// The candidates of this phone for one call.
public struct LocalICE: Hashable, Codable, Sendable {
    public var description: ICEDescription
    /// Whether an offer contains them, or only an answer to a far end that offers ICE.
    public var isOffered: Bool
    /// The only address that the far end may learn: that of a server, which hides our addresses. Nil: any.
    public var onlyAddress: MediaAddress?
    /// Whether more candidates may follow one by one (RFC 8838). Nil: these are all.
    public var isIncomplete: Bool?

    public init(
        _ description: ICEDescription, isOffered: Bool, onlyAddress: MediaAddress? = nil, isIncomplete: Bool? = nil
    ) {
        self.description = description
        self.isOffered = isOffered
        self.onlyAddress = onlyAddress
        self.isIncomplete = isIncomplete
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
