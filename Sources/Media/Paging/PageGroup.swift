import PhoneCore

extension MediaSettings {
    /// A multicast group whose pages are heard: plain RTP without signalling, as desk phones send it.
    public struct PageGroup: Equatable, Sendable {
        /// Limit of groups.
        public static let limit = 16

        /// The codecs that need no agreement, because their payload types are assigned (RFC 3551 §6).
        public static let assigned: [UInt8: NegotiatedMedia.Codec.Name] = [0: .pcmu, 8: .pcma, 9: .g722]

        /// A numeric multicast address.
        public var address: String
        public var port: UInt16
        /// The codecs of its pages, by payload type. Packets of other types are dropped.
        public var codecs: [UInt8: NegotiatedMedia.Codec.Name]

        public init(address: String, port: UInt16, codecs: [UInt8: NegotiatedMedia.Codec.Name] = assigned) {
            self.address = address
            self.port = port
            self.codecs = codecs
        }

        /// Whether this address is a group: of 224.0.0.0/4 (RFC 5771 §3), or of ff00::/8 with a scope beyond one link
        /// (RFC 4291 §2.7). A group of one link would be another one on each interface.
        public static func isGroup(_ address: String) -> Bool {
            PeerAddress(host: address, port: 0)?.isMulticast ?? false
        }

        func check() {
            precondition(Self.isGroup(address), "a group has a multicast address")
            precondition(!codecs.isEmpty && codecs.keys.allSatisfy { $0 < 128 }, "a group has payload types")
        }
    }
}
