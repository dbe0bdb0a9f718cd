import PhoneCore

/// Encodes a value with the digits of calls replaced, and its texts too, if there are pseudonyms for them.
struct Replacing: Encodable {
    private let value: any Encodable
    private let pseudonyms: Pseudonyms?

    init(_ value: some Encodable, by pseudonyms: Pseudonyms?) {
        self.value = value
        self.pseudonyms = pseudonyms
    }

    func encode(to encoder: any Encoder) throws {
        // The raw texts of an enumeration are the program's. No other text is encoded as the whole value of an
        // enumeration.
        let isWord = value is any RawRepresentable && Mirror(reflecting: value).displayStyle == .enum
        try value.encode(to: ReplacingEncoder(base: encoder, replacer: Replacer(pseudonyms, keepsTexts: isWord)))
    }
}

/// Decides what to encode instead of a part of a value.
struct Replacer {
    private let pseudonyms: Pseudonyms?
    private let keepsTexts: Bool

    init(_ pseudonyms: Pseudonyms?, keepsTexts: Bool) {
        self.pseudonyms = pseudonyms
        self.keepsTexts = keepsTexts
    }

    func replacement(for part: some Encodable) -> any Encodable {
        switch part {
        case let text as String: keepsTexts ? text : pseudonyms?.text(for: text) ?? text
        case let symbol as DTMFSymbol: symbol.redacted
        // A dial plan is a pattern by an integrator, and contains no person's number.
        case let plan as DialPlan: plan
        case is Bool, is Double, is any FixedWidthInteger: part
        case let named as any TextKeyed: Renamed(named.entries, by: pseudonyms)
        default: Replacing(part, by: pseudonyms)
        }
    }
}

/// A dictionary whose keys are texts too. A protocol finds it by its type, because an empty dictionary can be cast to
/// any other dictionary.
private protocol TextKeyed {
    var entries: [(name: String, value: any Encodable)] { get }
}

extension Dictionary: TextKeyed where Key == String, Value: Encodable {
    fileprivate var entries: [(name: String, value: any Encodable)] { map { ($0.key, $0.value) } }
}

private struct Renamed: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let entries: [(name: String, value: any Encodable)]
    private let pseudonyms: Pseudonyms?

    init(_ entries: [(name: String, value: any Encodable)], by pseudonyms: Pseudonyms?) {
        self.entries = entries
        self.pseudonyms = pseudonyms
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in entries {
            try container.encode(
                Replacing(value, by: pseudonyms), forKey: Name(stringValue: pseudonyms?.text(for: name) ?? name))
        }
    }
}

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
