import Base

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
