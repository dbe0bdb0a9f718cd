/// The headers of a message, in order. Unknown ones are kept; nothing is interpreted before it is asked for.
///
/// `Content-Length` is never among them: it belongs to framing, and is written from the body.
public struct SIPHeaders: Equatable, Sendable {
    public struct Field: Equatable, Sendable {
        public let name: SIPHeaderName
        /// On one line, without space around it.
        public let value: String

        /// Line breaks in `value` become spaces: no value can start a header of its own.
        public init(_ name: SIPHeaderName, _ value: String) { (self.name, self.value) = (name, value.onOneLine) }
    }

    public private(set) var fields: [Field] = []

    public init() {}

    /// The first value under a name. Setting replaces every field of that name, in place of the first; nil removes.
    public subscript(name: SIPHeaderName) -> String? {
        get { fields.first { $0.name == name }?.value }
        set { replace(name, with: newValue.map { [$0] } ?? []) }
    }

    /// Every value under a name, one for each line.
    public func lines(_ name: SIPHeaderName) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    public func contains(_ name: SIPHeaderName) -> Bool { fields.contains { $0.name == name } }

    public mutating func append(_ name: SIPHeaderName, _ value: String) { fields.append(Field(name, value)) }

    public mutating func append(_ name: SIPHeaderName, _ value: some SIPHeaderValue) { append(name, value.text) }

    /// Puts a field before all others (a Via is added on top).
    public mutating func prepend(_ name: SIPHeaderName, _ value: some SIPHeaderValue) {
        fields.insert(Field(name, value.text), at: 0)
    }

    public mutating func set(_ name: SIPHeaderName, _ value: some SIPHeaderValue) { self[name] = value.text }

    public mutating func set(_ name: SIPHeaderName, _ values: [some SIPHeaderValue]) {
        replace(name, with: values.map(\.text))
    }

    /// Sets a comma-joined list; an empty list removes the header.
    public mutating func set(_ name: SIPHeaderName, tokens: [String]) {
        self[name] = tokens.isEmpty ? nil : tokens.joined(separator: ", ")
    }

    /// Copies every field of a name, in order.
    public mutating func copy(_ name: SIPHeaderName, from other: SIPHeaders) {
        fields += other.fields.filter { $0.name == name }
    }

    private mutating func replace(_ name: SIPHeaderName, with values: [String]) {
        let place = fields.firstIndex { $0.name == name } ?? fields.count
        fields.removeAll { $0.name == name }
        fields.insert(contentsOf: values.map { Field(name, $0) }, at: place)
    }
}

extension SIPHeaders {
    /// All elements under a name: several lines and commas mean the same (RFC 3261 §7.3.1).
    public func list<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, of _: Value.Type = Value.self
    ) throws(SIPParseError) -> [Value] {
        var values: [Value] = []
        for field in fields where field.name == name {
            do throws(SIPParseError) { try Self.read(field.value, into: &values) } catch { throw error.inside(name) }
        }
        return values
    }

    /// The one value under a name that may be absent but not repeated.
    public func single<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, as _: Value.Type = Value.self
    ) throws(SIPParseError) -> Value? {
        let lines = lines(name)
        guard lines.count <= 1 else { throw SIPParseError(.repeated, at: 0, in: name) }
        guard let line = lines.first else { return nil }
        do throws(SIPParseError) { return try Value(line) } catch { throw error.inside(name) }
    }

    /// The one value under a name that every message has.
    public func required<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, as type: Value.Type = Value.self
    ) throws(SIPParseError) -> Value {
        guard let value = try single(name, as: type) else { throw SIPParseError(.missing, at: 0, in: name) }
        return value
    }

    private static func read<Value: SIPHeaderValue>(_ line: String, into values: inout [Value]) throws(SIPParseError) {
        var scanner = SIPScanner(line)
        repeat {
            scanner.skipSpace()
            values.append(try Value(from: &scanner))
            scanner.skipSpace()
        } while scanner.skip(UInt8(ascii: ","))
        try scanner.expectEnd()
    }
}
