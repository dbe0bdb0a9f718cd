/// The headers of a message, in order. Unknown ones are kept; values are interpreted only on request.
///
/// A view: all names and values are ranges of one buffer, which for a received message is the one copy of its head. A
/// value that is set or appended goes to the buffer's end. So headers cost two allocations, however many they are, and
/// a value becomes text only when it is requested. Two are equal when they have the same fields in the same order.
///
/// `Content-Length` of a message is not among them: it belongs to framing, and the serializer writes it from the body.
public struct SIPHeaders: Sendable {
    public struct Field: Equatable, Sendable {
        public let name: SIPHeaderName
        /// The value on one line, without space around it.
        public let value: String
    }

    /// A field's position in the buffer. A known name is stored as its code; an unknown one is read from its range.
    struct Entry: Sendable {
        let code: SIPHeaderNameTable.Code
        private let nameStart: UInt32
        private let nameCount: UInt32
        private let valueStart: UInt32
        private let valueCount: UInt32

        /// Buffers end far below 4 GB: a message is limited, and what is built from messages is too.
        init(_ code: SIPHeaderNameTable.Code, name: Range<Int>, value: Range<Int>) {
            self.code = code
            (nameStart, nameCount) = (UInt32(name.lowerBound), UInt32(name.count))
            (valueStart, valueCount) = (UInt32(value.lowerBound), UInt32(value.count))
        }

        var name: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameCount) }
        var value: Range<Int> { Int(valueStart)..<Int(valueStart) + Int(valueCount) }
    }

    private(set) var bytes: [UInt8]
    private(set) var entries: [Entry]

    public init() { (bytes, entries) = ([], []) }

    /// Takes fields that `bytes` contains, each on one line.
    init(_ bytes: [UInt8], _ entries: [Entry]) { (self.bytes, self.entries) = (bytes, entries) }

    public var isEmpty: Bool { entries.isEmpty }
    public var count: Int { entries.count }
    /// The size of the buffer, with values that were replaced. For tests of its bounds.
    package var heldBytes: Int { bytes.count }

    /// Every field as text. Cost: two strings a field; asking for one name is cheaper.
    public var fields: [Field] { entries.map { Field(name: name(of: $0), value: text(of: $0)) } }

    /// The fields whose names this module does not know and that begin with `prefix` in any case. Cost: as `fields`, for
    /// these alone.
    public func unknownFields(withPrefix prefix: String) -> [Field] {
        entries.filter { $0.code == 0 && bytes.equalsIgnoringCase($0.name.prefix(prefix.utf8.count), prefix) }
            .map { Field(name: name(of: $0), value: text(of: $0)) }
    }

    /// The first value under a name. Setting replaces every field of that name, in place of the first; nil removes.
    public subscript(name: SIPHeaderName) -> String? {
        get { entries.first { has($0, name) }.map(text) }
        set { replace(name, with: newValue.map { [$0] } ?? []) }
    }

    /// Every value under a name, one for each line.
    public func lines(_ name: SIPHeaderName) -> [String] { entries.filter { has($0, name) }.map(text) }

    public func contains(_ name: SIPHeaderName) -> Bool { entries.contains { has($0, name) } }

    /// Line breaks in `value` become spaces, so that no value can start a new header.
    public mutating func append(_ name: SIPHeaderName, _ value: String) { entries.append(write(name, value)) }

    public mutating func append(_ name: SIPHeaderName, _ value: some SIPHeaderValue) { append(name, value.text) }

    /// Puts a field before all others (a Via is added on top).
    public mutating func prepend(_ name: SIPHeaderName, _ value: some SIPHeaderValue) {
        entries.insert(write(name, value.text), at: 0)
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
        for entry in other.entries where other.has(entry, name) { entries.append(write(name, other, entry)) }
    }

    /// Replaces every field of a name, in place of the first.
    mutating func replace(_ name: SIPHeaderName, with values: [String]) {
        let place = entries.firstIndex { has($0, name) } ?? entries.count
        let others = entries[place...].filter { !has($0, name) }
        entries.removeSubrange(place...)
        for value in values { append(name, value) }
        entries += others
        compactIfWasteful()
    }
}

extension SIPHeaders {
    func has(_ entry: Entry, _ name: SIPHeaderName) -> Bool {
        guard entry.code == name.code else { return false }
        return entry.code != 0 || bytes.equalsIgnoringCase(entry.name, name.text)
    }

    func name(of entry: Entry) -> SIPHeaderName {
        entry.code == 0
            ? SIPHeaderName(unknown: String(bytes: bytes[entry.name])) : SIPHeaderName.known.names[Int(entry.code)]
    }

    private func text(of entry: Entry) -> String { String(bytes: bytes[entry.value]) }

    private mutating func write(_ name: SIPHeaderName, _ value: String) -> Entry {
        reserve(value.utf8.count)
        let nameRange = write(name)
        let start = bytes.count
        bytes += value.utf8
        for index in start..<bytes.count where bytes[index] == .cr || bytes[index] == .lf { bytes[index] = 0x20 }
        return Entry(name.code, name: nameRange, value: start..<bytes.count)
    }

    private mutating func write(_ name: SIPHeaderName, _ other: SIPHeaders, _ entry: Entry) -> Entry {
        reserve(entry.value.count)
        let nameRange = write(name)
        let start = bytes.count
        bytes += other.bytes[entry.value]
        return Entry(name.code, name: nameRange, value: start..<bytes.count)
    }

    /// Known names are not written, because their code identifies them.
    private mutating func write(_ name: SIPHeaderName) -> Range<Int> {
        guard name.code == 0 else { return 0..<0 }
        let start = bytes.count
        bytes += name.text.utf8
        return start..<bytes.count
    }

    /// Our messages have about a dozen fields: the first one reserves memory for all.
    private mutating func reserve(_ count: Int) {
        guard bytes.isEmpty else { return }
        bytes.reserveCapacity(max(count, 768))
        entries.reserveCapacity(16)
    }

    /// Removes replaced values once they are the greater part of the buffer. So the buffer does not grow when a value
    /// is set again and again for years.
    private mutating func compactIfWasteful() {
        guard bytes.count > 4_096 else { return }
        guard bytes.count > 2 * entries.reduce(0, { $0 + $1.name.count + $1.value.count }) else { return }
        let all = self
        (bytes, entries) = ([], [])
        for entry in all.entries { entries.append(write(all.name(of: entry), all, entry)) }
    }
}

extension SIPHeaders: Equatable {
    public static func == (left: SIPHeaders, right: SIPHeaders) -> Bool {
        left.entries.elementsEqual(right.entries) { mine, theirs in
            mine.code == theirs.code
                && left.bytes[mine.value].elementsEqual(right.bytes[theirs.value])
                && (mine.code != 0 || left.name(of: mine) == right.name(of: theirs))
        }
    }
}
