import Base
import JSON
import PhoneCore

/// Encodes one value as JSON. A replacer, if there is one, decides about every encoded part.
///
/// Each container has one generic `encode`, which is also the witness for every plain type.
struct LineEncoder: Encoder {
    /// Nil: nothing is replaced.
    let replacer: Replacer?
    let names: SecretNames
    private let part = Part()

    init(replacer: Replacer?, names: SecretNames) { (self.replacer, self.names) = (replacer, names) }

    /// Empty: a value that JSON cannot express is named by itself.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { CodingUserInfoKey.secretNaming.map { [$0: names] } ?? [:] }

    func json(for value: some Encodable) throws -> JSONValue { try part(for: value).json }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        part.members = part.members ?? [:]
        return KeyedEncodingContainer(KeyedParts(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        part.elements = part.elements ?? []
        return UnkeyedParts(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SinglePart(encoder: self) }

    fileprivate func part(for value: some Encodable) throws -> Part {
        switch value {
        case let text as String: return Part(.string(replacer?.text(for: text) ?? text))
        case let flag as Bool: return Part(.bool(flag))
        case let number as Double: return Part(Self.json(for: number))
        case let number as any FixedWidthInteger: return Part(try Self.json(for: number))
        default: break
        }
        guard let replacer else { return try unreplaced(value) }
        switch value {
        case let symbol as DTMFSymbol: return try unreplaced(symbol.redacted)
        // A dial plan is a pattern by an integrator, and contains no person's number.
        case let plan as DialPlan: return try unreplaced(plan)
        case let named as any TextKeyed:
            return Part(members: try named.entries(renamed: replacer.text(for:)).mapValues { try part(for: $0) })
        default: return try LineEncoder(replacer: replacer.inside(value), names: names).filled(by: value)
        }
    }

    private func unreplaced(_ value: some Encodable) throws -> Part {
        try LineEncoder(replacer: nil, names: names).filled(by: value)
    }

    private func filled(by value: some Encodable) throws -> Part {
        try value.encode(to: self)
        return part
    }

    /// A number that is not finite must not end an event log.
    private static func json(for number: Double) -> JSONValue {
        if number.isFinite { return .number(number) }
        return number.isNaN ? "nan" : number < 0 ? "-inf" : "inf"
    }

    private static func json(for number: some FixedWidthInteger) throws -> JSONValue {
        if let whole = Int64(exactly: number) { return .integer(whole) }
        if let whole = UInt64(exactly: number) { return .unsigned(whole) }
        throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "takes more than 64 bits"))
    }
}

/// Decides what an event log contains instead of a text.
struct Replacer {
    /// Nil: texts stay, and only the digits of calls are replaced.
    private let pseudonyms: Pseudonyms?
    private let keepsTexts: Bool

    init(_ pseudonyms: Pseudonyms?, keepsTexts: Bool = false) {
        self.pseudonyms = pseudonyms
        self.keepsTexts = keepsTexts
    }

    func text(for text: String) -> String { keepsTexts ? text : pseudonyms?.text(for: text) ?? text }

    /// For the parts of a value. The raw texts of an enumeration are the program's. No other text is encoded as the
    /// whole value of an enumeration.
    func inside(_ value: some Encodable) -> Replacer {
        let isWord = value is any RawRepresentable && Mirror(reflecting: value).displayStyle == .enum
        return Replacer(pseudonyms, keepsTexts: isWord)
    }
}

/// A dictionary whose keys are texts too. A protocol finds it by its type, because an empty dictionary can be cast to
/// any other dictionary.
private protocol TextKeyed {
    func entries(renamed name: (String) -> String) -> [String: any Encodable]
}

extension Dictionary: TextKeyed where Key == String, Value: Encodable {
    fileprivate func entries(renamed name: (String) -> String) -> [String: any Encodable] {
        [String: any Encodable](map { (name($0.key), $0.value) }) { _, last in last }
    }
}

/// A part of a line, which containers fill step by step.
private final class Part {
    private let value: JSONValue?
    var members: [String: Part]?
    var elements: [Part]?
    /// What a single-value container wrote.
    var whole: Part?

    init(_ value: JSONValue? = nil) { self.value = value }

    init(members: [String: Part]) { (value, self.members) = (nil, members) }

    var json: JSONValue {
        if let value { return value }
        if let members { return .object(members.mapValues(\.json)) }
        if let elements { return .array(elements.map(\.json)) }
        return whole?.json ?? [:]
    }
}

extension LineEncoder {
    private func nested() -> LineEncoder { LineEncoder(replacer: replacer, names: names) }

    private struct KeyedParts<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: LineEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) { encoder.part.members?[key.stringValue] = Part(.null) }

        func encode(_ value: some Encodable, forKey key: Key) throws {
            encoder.part.members?[key.stringValue] = try encoder.part(for: value)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { nested(key.stringValue).container(keyedBy: type) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            nested(key.stringValue).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { nested("super") }
        func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

        private func nested(_ name: String) -> LineEncoder {
            let nested = encoder.nested()
            encoder.part.members?[name] = nested.part
            return nested
        }
    }

    private struct UnkeyedParts: UnkeyedEncodingContainer {
        let encoder: LineEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.part.elements?.count ?? 0 }

        func encodeNil() { encoder.part.elements?.append(Part(.null)) }

        func encode(_ value: some Encodable) throws { encoder.part.elements?.append(try encoder.part(for: value)) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            nested().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
        func superEncoder() -> any Encoder { nested() }

        private func nested() -> LineEncoder {
            let nested = encoder.nested()
            encoder.part.elements?.append(nested.part)
            return nested
        }
    }

    private struct SinglePart: SingleValueEncodingContainer {
        let encoder: LineEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() { encoder.part.whole = Part(.null) }
        func encode(_ value: some Encodable) throws { encoder.part.whole = try encoder.part(for: value) }
    }
}
