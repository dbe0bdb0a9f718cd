import JSON

/// Decodes values from JSON.
///
/// Each container has one generic `decode`, which is also the witness for every plain type.
struct LineDecoder: Decoder, SingleValueDecodingContainer {
    let json: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = json.object else { throw mismatch([String: JSONValue].self, "not an object") }
        return KeyedDecodingContainer(Members<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = json.array else { throw mismatch([JSONValue].self, "not an array") }
        return Elements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { json.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let plain: Any?
        switch type {
        case is String.Type: plain = json.string
        case is Bool.Type: plain = json.bool
        case is Double.Type: plain = number
        case let type as any FixedWidthInteger.Type: plain = integer(type)
        default: return try type.init(from: self)
        }
        guard let value = plain as? Value else { throw mismatch(type, "not a value of type \(type)") }
        return value
    }

    private var number: Double? {
        switch json.string {
        case nil: json.double
        case "nan": .nan
        case "inf": .infinity
        case "-inf": -.infinity
        case .some: nil
        }
    }

    private func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        switch json {
        case .integer(let number): Number(exactly: number)
        case .unsigned(let number): Number(exactly: number)
        case .null, .bool, .number, .string, .array, .object: nil
        }
    }

    private func mismatch(_ type: Any.Type, _ why: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: why))
    }
}

extension JSONValue {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        LineDecoder(json: members["super"] ?? .null, codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> LineDecoder {
        guard let json = members[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return LineDecoder(json: json, codingPath: codingPath + [key])
    }
}

private struct Elements: UnkeyedDecodingContainer {
    private struct Position: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue.map(String.init) ?? "" }
        init?(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        (self.elements, self.codingPath) = (elements, codingPath)
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        let isNull = try decoder().decodeNil()
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> LineDecoder {
        let decoder = try decoder()
        currentIndex += 1
        return decoder
    }

    private func decoder() throws -> LineDecoder {
        let path = codingPath + [Position(intValue: currentIndex)].compactMap(\.self)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self, .init(codingPath: path, debugDescription: "the array ends too early"))
        }
        return LineDecoder(json: elements[currentIndex], codingPath: path)
    }
}
