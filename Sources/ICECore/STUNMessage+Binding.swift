import Base

/// Attribute types of RFC 8489 §18.3.
enum AttributeType {
    static let errorCode: UInt16 = 0x0009
    static let unknownAttributes: UInt16 = 0x000A
    static let xorMappedAddress: UInt16 = 0x0020
    static let fingerprint: UInt16 = 0x8028

    /// Attributes that may be in a binding request although they have no effect on the answer of a server without
    /// authentication: credentials, realms and what old peers write.
    static let tolerated: Set<UInt16> = [
        0x0001, 0x0006, 0x0008, 0x0014, 0x0015, 0x001C, 0x001D, 0x001E, xorMappedAddress,
    ]
}

extension STUNMessage {
    /// Our address as the far end sees it (RFC 8489 §14.2). Nil if there is none that can be read.
    public var mappedAddress: TransportAddress? {
        guard let value = attributes.first(where: { $0.type == AttributeType.xorMappedAddress })?.value,
            value.count == 8 && value[1] == 1 || value.count == 20 && value[1] == 2
        else { return nil }
        let port = UInt16(value[2]) << 8 | UInt16(value[3])
        let address = IPAddress(bytes: zip(value.dropFirst(4), mask).map { $0 ^ $1 })
        return address.map { TransportAddress($0, port ^ UInt16(Self.cookie >> 16)) }
    }

    /// The answer to a binding request from `source`: the address from which it came, or the unknown attributes that we
    /// would have to understand (RFC 8489 §6.3.1). Nil if this is no binding request.
    public func answer(to source: TransportAddress) -> STUNMessage? {
        guard kind == .request, method == Self.binding else { return nil }
        let unknown = attributes.map(\.type).filter { $0 < 0x8000 && !AttributeType.tolerated.contains($0) }
        guard unknown.isEmpty else {
            var value: [UInt8] = []
            for type in unknown { value.append(bigEndian: type) }
            let reason = [0, 0, 4, 20] + Array("Unknown Attribute".utf8)
            return STUNMessage(
                .failure, id: id,
                attributes: [.init(AttributeType.errorCode, reason), .init(AttributeType.unknownAttributes, value)],
                hasFingerprint: hasFingerprint)
        }
        return STUNMessage(.success, id: id, attributes: [mapping(source)], hasFingerprint: hasFingerprint)
    }

    private func mapping(_ source: TransportAddress) -> Attribute {
        var value: [UInt8] = [0, source.address.isVersion6 ? 2 : 1]
        value.append(bigEndian: source.port ^ UInt16(Self.cookie >> 16))
        value += zip(source.address.bytes, mask).map { $0 ^ $1 }
        return Attribute(AttributeType.xorMappedAddress, value)
    }

    /// The bytes that are combined with an address by XOR, so that NATs do not recognise and rewrite it.
    private var mask: [UInt8] {
        var mask: [UInt8] = []
        mask.append(bigEndian: Self.cookie)
        return mask + id.bytes
    }
}
