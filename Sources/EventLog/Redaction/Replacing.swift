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
