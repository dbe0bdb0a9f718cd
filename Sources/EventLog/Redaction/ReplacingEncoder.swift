/// Wraps another encoder and asks the replacer about every encoded part.
///
/// Each container has one generic `encode`, which is also the witness for every plain type.
struct ReplacingEncoder: Encoder {
    let base: any Encoder
    let replacer: Replacer

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ReplacingKeyed(base: base.container(keyedBy: type), replacer: replacer))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ReplacingUnkeyed(base: base.unkeyedContainer(), replacer: replacer)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ReplacingSingle(base: base.singleValueContainer(), replacer: replacer)
    }
}

private struct ReplacingKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var base: KeyedEncodingContainer<Key>
    let replacer: Replacer

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

    mutating func encode<Part: Encodable>(_ part: Part, forKey key: Key) throws {
        try base.encode(replacer.replacement(for: part), forKey: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(
            ReplacingKeyed<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key), replacer: replacer))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ReplacingUnkeyed(base: base.nestedUnkeyedContainer(forKey: key), replacer: replacer)
    }

    mutating func superEncoder() -> any Encoder {
        ReplacingEncoder(base: base.superEncoder(), replacer: replacer)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        ReplacingEncoder(base: base.superEncoder(forKey: key), replacer: replacer)
    }
}

private struct ReplacingUnkeyed: UnkeyedEncodingContainer {
    var base: any UnkeyedEncodingContainer
    let replacer: Replacer

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int { base.count }

    mutating func encodeNil() throws { try base.encodeNil() }

    mutating func encode<Part: Encodable>(_ part: Part) throws {
        try base.encode(replacer.replacement(for: part))
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        KeyedEncodingContainer(ReplacingKeyed(base: base.nestedContainer(keyedBy: type), replacer: replacer))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ReplacingUnkeyed(base: base.nestedUnkeyedContainer(), replacer: replacer)
    }

    mutating func superEncoder() -> any Encoder {
        ReplacingEncoder(base: base.superEncoder(), replacer: replacer)
    }
}

private struct ReplacingSingle: SingleValueEncodingContainer {
    var base: any SingleValueEncodingContainer
    let replacer: Replacer

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil() throws { try base.encodeNil() }

    mutating func encode<Part: Encodable>(_ part: Part) throws {
        try base.encode(replacer.replacement(for: part))
    }
}
