import Base
import PhoneCore

extension MediaSettings {
    /// A multicast group whose pages this phone plays, and to which it may send pages: plain RTP without signalling, as
    /// desk phones do.
    public struct PageGroup: Equatable, Sendable {
        /// Limit of groups.
        public static let limit = 16

        /// The codecs with static payload types, which need no negotiation (RFC 3551 §6).
        public static let assigned: [UInt8: AudioCodec] = [0: .pcmu, 8: .pcma, 9: .g722]

        /// A numeric multicast address.
        public var address: String
        public var port: UInt16
        /// The codecs of its pages, by payload type. Packets of other types are dropped.
        public var codecs: [UInt8: AudioCodec]
        /// The longest page that this phone plays. Its source must then be silent for a while before it may page again.
        public var longestHeard = Duration.seconds(300)
        /// The only hosts whose pages play, as numeric addresses. Empty: all hosts.
        public var sources: [String] = []
        /// How to send pages to the group. Nil: this phone sends none.
        public var sending: Sending?

        public struct Sending: Equatable, Sendable {
            public var codec: AudioCodec
            public var payloadType: UInt8
            /// The packets' time to live: the number of routers that a page may pass, plus one.
            public var hops: UInt8

            public init(codec: AudioCodec, payloadType: UInt8, hops: UInt8 = 1) {
                (self.codec, self.payloadType, self.hops) = (codec, payloadType, hops)
            }
        }

        public init(
            address: String, port: UInt16, codecs: [UInt8: AudioCodec] = assigned,
            sending: Sending? = nil
        ) {
            self.address = address
            self.port = port
            self.codecs = codecs
            self.sending = sending
        }

        /// Whether this address is a multicast group: 224.0.0.0/4 (RFC 5771 §3) or ff00::/8 (RFC 4291 §2.7). An IPv6
        /// group must reach beyond one link: otherwise it would be a different group on each interface.
        public static func isGroup(_ address: String) -> Bool {
            IPAddress(address)?.unmapped.isMulticast ?? false
        }

        func check() {
            precondition(Self.isGroup(address), "a group has a multicast address")
            precondition(!codecs.isEmpty && codecs.keys.allSatisfy { $0 < 128 }, "a group has payload types")
            precondition(sending.map { $0.payloadType < 128 && $0.hops > 0 } ?? true, "payload type and hops are valid")
        }
    }
}
