import Base

/// A STUN message (RFC 8489 §5): a header, and attributes as they were received.
///
/// Parsing is total: bytes that are not a STUN message give an exact error. A fingerprint is checked if there is one.
/// Cost: linear.
public struct STUNMessage: Equatable, Sendable {
    public enum Class: UInt16, Sendable { case request = 0, indication, success, failure }

    /// The 96 bits that match an answer to its request.
    public struct TransactionID: Hashable, Sendable {
        /// 12 bytes.
        public let bytes: [UInt8]

        public init(using generator: inout some RandomNumberGenerator) {
            bytes = (0..<12).map { _ in .random(in: .min ... .max, using: &generator) }
        }

        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    public struct Attribute: Equatable, Sendable {
        public let type: UInt16
        /// Without padding.
        public let value: [UInt8]

        public init(_ type: UInt16, _ value: [UInt8]) { (self.type, self.value) = (type, value) }
    }

    /// The only method without extensions (RFC 8489 §18.2).
    public static let binding: UInt16 = 1
    /// The longest message, in bytes. A message that fits every path (RFC 8489 §6.1) is far shorter.
    public static let limit = 1_280
    /// The longest attribute value that we write: a packet that a TURN server relays.
    package static let longestWritten = 1_500
    static let cookie: UInt32 = 0x2112_A442
    private static let attributeLimit = 32

    public var method: UInt16
    public var kind: Class
    public var id: TransactionID
    /// Without the fingerprint.
    public var attributes: [Attribute]
    public var hasFingerprint: Bool

    public init(
        _ kind: Class, id: TransactionID, attributes: [Attribute] = [], method: UInt16 = Self.binding,
        hasFingerprint: Bool = true
    ) {
        (self.method, self.kind, self.id) = (method, kind, id)
        (self.attributes, self.hasFingerprint) = (attributes, hasFingerprint)
    }

    /// Whether the bytes may be STUN, on a socket that carries other protocols, too (RFC 7983 §7).
    public static func mayBegin(_ bytes: [UInt8]) -> Bool { bytes.count >= 20 && bytes[0] < 4 }

    /// - Parameter limit: The longest message, in bytes. A message from a TURN server may contain a whole packet.
    public init(_ bytes: Span<UInt8>, limit: Int = Self.limit) throws(STUNError) {
        guard bytes.count <= limit else { throw .tooLong }
        guard bytes.count >= 20, bytes[0] < 0x40, bytes.bigEndian(at: 4) as UInt32 == Self.cookie else {
            throw .notSTUN
        }
        let length = Int(bytes.bigEndian(at: 2) as UInt16)
        guard length == bytes.count - 20, length.isMultiple(of: 4) else { throw .length }
        let type: UInt16 = bytes.bigEndian(at: 0)
        // RFC 8489 §5: two bits within the message type give the class.
        kind = Class(rawValue: (type & 0x10) >> 4 | (type & 0x100) >> 7) ?? .request
        method = (type & 0xF) | (type & 0xE0) >> 1 | (type & 0x3E00) >> 2
        id = TransactionID((8..<20).map { bytes[$0] })
        (attributes, hasFingerprint) = ([], false)
        try readAttributes(bytes)
    }

    private mutating func readAttributes(_ bytes: Span<UInt8>) throws(STUNError) {
        var offset = 20
        while offset < bytes.count {
            guard !hasFingerprint else { throw .fingerprint }
            guard attributes.count < Self.attributeLimit else { throw .tooLong }
            let type: UInt16 = bytes.bigEndian(at: offset)
            let count = Int(bytes.bigEndian(at: offset + 2) as UInt16)
            let start = offset + 4
            guard count <= bytes.count - start else { throw .attribute }
            if type == AttributeType.fingerprint {
                guard count == 4, bytes.bigEndian(at: start) as UInt32 == Self.fingerprint(bytes, upTo: offset) else {
                    throw .fingerprint
                }
                hasFingerprint = true
            } else {
                attributes.append(Attribute(type, (start..<start + count).map { bytes[$0] }))
            }
            offset = start + (count + 3) & ~3
        }
    }

    /// The message on the wire.
    public var bytes: [UInt8] { encoded { _ in [] } }

    /// - Parameters:
    ///   - count: Bytes that `proof` adds. The length in the header includes them before they exist (RFC 8489 §14.5).
    ///   - proof: Attributes that depend on all bytes before them.
    func encoded(reserving count: Int = 0, _ proof: ([UInt8]) -> [Attribute]) -> [UInt8] {
        precondition(attributes.allSatisfy { $0.value.count <= Self.longestWritten }, "an attribute is too long")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        let form = kind.rawValue
        bytes.append(
            bigEndian: (method & 0xF) | (method & 0x70) << 1 | (method & 0xF80) << 2 | (form & 1) << 4
                | (form & 2) << 7)
        bytes += [0, 0]
        bytes.append(bigEndian: Self.cookie)
        bytes += id.bytes
        for attribute in attributes { Self.append(attribute, to: &bytes) }
        Self.setLength(of: &bytes, adding: count)
        for attribute in proof(bytes) { Self.append(attribute, to: &bytes) }
        guard hasFingerprint else { return bytes }
        Self.setLength(of: &bytes, adding: 8)
        let sum = Self.fingerprint(bytes.span, upTo: bytes.count)
        bytes.append(bigEndian: AttributeType.fingerprint)
        bytes.append(bigEndian: UInt16(4))
        bytes.append(bigEndian: sum)
        return bytes
    }

    private static func append(_ attribute: Attribute, to bytes: inout [UInt8]) {
        bytes.append(bigEndian: attribute.type)
        bytes.append(bigEndian: UInt16(attribute.value.count))
        bytes += attribute.value
        while !bytes.count.isMultiple(of: 4) { bytes.append(0) }
    }

    private static func setLength(of bytes: inout [UInt8], adding count: Int) {
        let length = UInt16(bytes.count - 20 + count)
        (bytes[2], bytes[3]) = (UInt8(length >> 8), UInt8(truncatingIfNeeded: length))
    }

    /// RFC 8489 §14.7: the CRC-32 of all bytes before it, XORed with a constant so that no other protocol's CRC
    /// matches.
    private static func fingerprint(_ bytes: Span<UInt8>, upTo end: Int) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for index in 0..<end {
            sum ^= UInt32(bytes[index])
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~sum ^ 0x5354_554E
    }
}
