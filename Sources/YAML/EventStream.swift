import CYAML
import Glibc

/// libyaml's parser, as a stream of its events from bytes in memory. It owns the C parser and the copy of the bytes.
@safe struct EventStream: ~Copyable {
    /// One event, copied from libyaml.
    enum Event {
        case scalar(String, plain: Bool, Decoration)
        case sequenceStart(Decoration)
        case mappingStart(Decoration)
        case alias
        /// The end of the innermost list or mapping.
        case end
        case documentStart
        case documentEnd
        case streamStart
        case streamEnd
    }

    /// Whether a value has an anchor or a tag. We accept neither.
    struct Decoration {
        let anchored: Bool
        let tagged: Bool
    }

    struct Failure: Error {
        let reason: String
        let mark: YAMLMark
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: Span<UInt8>) {
        unsafe input = .allocate(capacity: max(1, bytes.count))
        for index in 0..<bytes.count { unsafe input.initializeElement(at: index, to: bytes[index]) }
        unsafe parser = .allocate(capacity: 1)
        let initialized = unsafe yaml_parser_initialize(parser)
        precondition(initialized == 1, "out of memory")
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    mutating func next() throws(Failure) -> (event: Event, mark: YAMLMark) {
        var raw = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &raw) == 1 else { throw failure }
        defer { unsafe yaml_event_delete(&raw) }
        let mark = unsafe YAMLMark(raw.start_mark)
        return (unsafe Self.event(raw), mark)
    }

    private static func event(_ raw: yaml_event_t) -> Event {
        switch unsafe raw.type {
        case YAML_SCALAR_EVENT: return unsafe scalar(raw.data.scalar)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe raw.data.sequence_start
            return .sequenceStart(unsafe Decoration(anchored: start.anchor != nil, tagged: start.tag != nil))
        case YAML_MAPPING_START_EVENT:
            let start = unsafe raw.data.mapping_start
            return .mappingStart(unsafe Decoration(anchored: start.anchor != nil, tagged: start.tag != nil))
        case YAML_ALIAS_EVENT: return .alias
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_STREAM_END_EVENT: return .streamEnd
        default: preconditionFailure("libyaml has no other event")
        }
    }

    private typealias RawScalar = yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar

    private static func scalar(_ raw: RawScalar) -> Event {
        let text = unsafe String(decoding: UnsafeBufferPointer(start: raw.value, count: raw.length), as: UTF8.self)
        let decoration = unsafe Decoration(anchored: raw.anchor != nil, tagged: raw.tag != nil)
        return .scalar(text, plain: unsafe raw.style == YAML_PLAIN_SCALAR_STYLE, decoration)
    }

    private var failure: Failure {
        if unsafe parser.pointee.error == YAML_READER_ERROR { return unreadable }
        let mark = unsafe YAMLMark(parser.pointee.problem_mark)
        if indentation(ofLine: mark.line).contains(UInt8(ascii: "\t")) {
            return Failure(reason: "a tab in the indentation; YAML accepts only spaces", mark: mark)
        }
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) + ": " } ?? ""
        return Failure(reason: context + problem, mark: mark)
    }

    /// The error for an invalid byte or character. libyaml reports its position as the number of bytes before it.
    private var unreadable: Failure {
        let isBroken = unsafe parser.pointee.problem.map { unsafe strstr($0, "UTF-8") != nil } ?? false
        let bytes = unsafe Array(input.prefix(Int(clamping: parser.pointee.problem_offset) + 1))
        // If a byte does not continue a character, the byte that began the character is the wrong one.
        let start = isBroken ? bytes.suffix(4).lastIndex { $0 >= 0x80 } : nil
        let before = bytes.prefix(start ?? max(0, bytes.count - 1))
        let line = before.suffix(from: before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
        let mark = YAMLMark(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1,
            column: String(decoding: line, as: UTF8.self).unicodeScalars.count + 1)
        let wrong = start.map { Int32(bytes[$0]) } ?? (unsafe parser.pointee.problem_value)
        let shown = "0x" + String(max(0, wrong), radix: 16, uppercase: true)
        return Failure(
            reason: isBroken
                ? "byte \(shown) is not UTF-8; is the file in Latin-1? Save it as UTF-8"
                : "character \(shown) is not allowed in text", mark: mark)
    }

    /// The blanks at the beginning of a line.
    private func indentation(ofLine number: Int) -> ArraySlice<UInt8> {
        let text = unsafe Array(input)
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
        guard lines.indices.contains(number - 1) else { return [] }
        return lines[number - 1].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}

extension YAMLMark {
    fileprivate init(_ raw: yaml_mark_t) { self.init(line: Int(raw.line) + 1, column: Int(raw.column) + 1) }
}
