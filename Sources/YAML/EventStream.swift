import CYAML

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
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) + ": " } ?? ""
        return Failure(reason: context + problem, mark: unsafe YAMLMark(parser.pointee.problem_mark))
    }
}

extension YAMLMark {
    fileprivate init(_ raw: yaml_mark_t) { self.init(line: Int(raw.line) + 1, column: Int(raw.column) + 1) }
}
