import Base

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
