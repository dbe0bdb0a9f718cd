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

/// Attribute values, read and written.
extension STUNMessage {
    package func value(_ type: UInt16) -> [UInt8]? { attributes.first { $0.type == type }?.value }

    package func text(_ type: UInt16) -> String? { value(type).flatMap { String(validating: $0, as: UTF8.self) } }

    package func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: UInt16, as _: Number.Type) -> Number? {
        guard let value = value(type), value.count == Number.bitWidth / 8 else { return nil }
        return value.span.bigEndian(at: 0)
    }

    /// An address that is combined with the cookie and the transaction ID by XOR (RFC 8489 §14.2).
    package func address(_ type: UInt16) -> TransportAddress? {
        guard let value = value(type), value.count == 8 && value[1] == 1 || value.count == 20 && value[1] == 2 else {
            return nil
        }
        let port = UInt16(value[2]) << 8 | UInt16(value[3])
        let address = IPAddress(bytes: zip(value.dropFirst(4), mask).map { $0 ^ $1 })
        return address.map { TransportAddress($0, port ^ UInt16(Self.cookie >> 16)) }
    }

    package func attribute(_ type: UInt16, _ address: TransportAddress) -> Attribute {
        var value: [UInt8] = [0, address.address.isVersion6 ? 2 : 1]
        value.append(bigEndian: address.port ^ UInt16(Self.cookie >> 16))
        value += zip(address.address.bytes, mask).map { $0 ^ $1 }
        return Attribute(type, value)
    }

    /// The code of a failure, 300 to 699 (RFC 8489 §14.8). Nil for another message, or an invalid code.
    package var errorCode: Int? {
        guard kind == .failure, let value = value(AttributeType.errorCode), value.count >= 4,
            (3...6).contains(value[2] & 7), value[3] < 100
        else { return nil }
        return Int(value[2] & 7) * 100 + Int(value[3])
    }

    /// The bytes that are combined with an address by XOR, so that NATs do not recognise and rewrite it.
    private var mask: [UInt8] {
        var mask: [UInt8] = []
        mask.append(bigEndian: Self.cookie)
        return mask + id.bytes
    }
}

extension STUNMessage.Attribute {
    package init(_ type: UInt16, _ text: String) { self.init(type, Array(text.utf8)) }

    package init<Number: FixedWidthInteger & UnsignedInteger>(_ type: UInt16, number: Number) {
        var value: [UInt8] = []
        value.append(bigEndian: number)
        self.init(type, value)
    }

    package static func error(_ code: Int, _ reason: String) -> Self {
        .init(AttributeType.errorCode, [0, 0, UInt8(code / 100), UInt8(code % 100)] + Array(reason.utf8))
    }
}

extension STUNMessage {
    /// Our address as the far end sees it (RFC 8489 §14.2). Nil if the message has no readable one.
    public var mappedAddress: TransportAddress? { address(AttributeType.xorMappedAddress) }

    /// The answer to a binding request from `source`: the address from which it came, or the unknown
    /// comprehension-required attributes (RFC 8489 §6.3.1). Nil if this is not a binding request.
    public func answer(to source: TransportAddress) -> STUNMessage? {
        guard kind == .request, method == Self.binding else { return nil }
        let unknown = attributes.map(\.type).filter { $0 < 0x8000 && !AttributeType.tolerated.contains($0) }
        guard unknown.isEmpty else {
            var value: [UInt8] = []
            for type in unknown { value.append(bigEndian: type) }
            return STUNMessage(
                .failure, id: id,
                attributes: [
                    .error(420, "Unknown Attribute"), .init(AttributeType.unknownAttributes, value),
                ],
                hasFingerprint: hasFingerprint)
        }
        return STUNMessage(
            .success, id: id, attributes: [attribute(AttributeType.xorMappedAddress, source)],
            hasFingerprint: hasFingerprint)
    }
}

/// Attribute types of RFC 8489 §18.3, RFC 8445 §20.1 and RFC 8656 §18.
package enum AttributeType {
    package static let username: UInt16 = 0x0006
    package static let messageIntegrity: UInt16 = 0x0008
    package static let errorCode: UInt16 = 0x0009
    package static let unknownAttributes: UInt16 = 0x000A
    package static let channelNumber: UInt16 = 0x000C
    package static let lifetime: UInt16 = 0x000D
    package static let xorPeerAddress: UInt16 = 0x0012
    package static let data: UInt16 = 0x0013
    package static let realm: UInt16 = 0x0014
    package static let nonce: UInt16 = 0x0015
    package static let xorRelayedAddress: UInt16 = 0x0016
    package static let requestedAddressFamily: UInt16 = 0x0017
    package static let requestedTransport: UInt16 = 0x0019
    package static let messageIntegritySHA256: UInt16 = 0x001C
    package static let passwordAlgorithm: UInt16 = 0x001D
    package static let userHash: UInt16 = 0x001E
    package static let xorMappedAddress: UInt16 = 0x0020
    package static let priority: UInt16 = 0x0024
    package static let useCandidate: UInt16 = 0x0025
    package static let passwordAlgorithms: UInt16 = 0x8002
    package static let fingerprint: UInt16 = 0x8028
    package static let iceControlled: UInt16 = 0x8029
    package static let iceControlling: UInt16 = 0x802A

    /// Attributes that a binding request may contain although they do not affect the answer of a server without
    /// authentication: credentials, realms and attributes of old peers.
    static let tolerated: Set<UInt16> = [
        0x0001, username, messageIntegrity, realm, nonce, messageIntegritySHA256, passwordAlgorithm, userHash,
        xorMappedAddress,
    ]

    /// The comprehension-required attributes of a connectivity check that we understand (RFC 8445 §7.1).
    static let understoodInChecks: Set<UInt16> = tolerated.union([priority, useCandidate])
}

/// Why bytes are not a valid STUN message.
public enum STUNError: Error, Equatable, Sendable {
    /// The first two bits, or the magic cookie, belong to another protocol.
    case notSTUN
    /// The length in the header does not match the number of bytes, or is not a multiple of four.
    case length
    /// There are more bytes or attributes than the limits allow.
    case tooLong
    /// An attribute is longer than its message.
    case attribute
    /// The fingerprint is wrong, or something follows it.
    case fingerprint
}
