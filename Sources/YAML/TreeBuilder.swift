/// Builds the tree of one document from the parser's events, and rejects features that we do not accept.
struct TreeBuilder: ~Copyable {
    private let file: String
    private let limits: YAMLLimits
    private var events: EventStream
    private var nodes = 0
    /// The first mistakes after which the text could be read further.
    private(set) var mistakes: [YAMLError] = []

    private typealias Token = (event: EventStream.Event, mark: YAMLMark)

    init(_ bytes: Span<UInt8>, file: String, limits: YAMLLimits) {
        self.file = file
        self.limits = limits
        events = EventStream(bytes)
    }

    /// - Returns: The root of the only document; an empty mapping for a text without a document.
    mutating func build() throws(YAMLError) -> YAMLNode {
        _ = try next()  // The stream's start, which libyaml always sends.
        let first = try next()
        guard case .documentStart = first.event else { return YAMLNode(content: .mapping([]), mark: first.mark) }
        let root = try node(try next(), depth: 0)
        _ = try next()  // The document's end.
        let last = try next()
        guard case .streamEnd = last.event else {
            throw error(.unsupported("several documents in one file"), at: last.mark)
        }
        return root
    }

    private mutating func next() throws(YAMLError) -> Token {
        do throws(EventStream.Failure) {
            return try events.next()
        } catch {
            throw self.error(.syntax(error.reason), at: error.mark)
        }
    }

    private mutating func node(_ token: Token, depth: Int) throws(YAMLError) -> YAMLNode {
        nodes += 1
        guard nodes <= limits.nodes else {
            throw error(.limit("more than \(limits.nodes) values"), at: token.mark)
        }
        guard depth <= limits.depth else {
            throw error(.limit("more than \(limits.depth) nested levels"), at: token.mark)
        }
        switch token.event {
        case .scalar(let text, let plain, let decoration):
            note(decoration, at: token.mark)
            return YAMLNode(content: .scalar(text, plain: plain), mark: token.mark)
        case .sequenceStart(let decoration):
            note(decoration, at: token.mark)
            return YAMLNode(content: .sequence(try elements(depth: depth + 1)), mark: token.mark)
        case .mappingStart(let decoration):
            note(decoration, at: token.mark)
            return YAMLNode(content: .mapping(try entries(depth: depth + 1)), mark: token.mark)
        case .alias:
            note(.unsupported("aliases (*name)"), at: token.mark)
            return YAMLNode(content: .scalar("", plain: true), mark: token.mark)
        case .end, .documentStart, .documentEnd, .streamStart, .streamEnd:
            preconditionFailure("libyaml opens a value before it ends one")
        }
    }

    private mutating func elements(depth: Int) throws(YAMLError) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let token = try next()
            if case .end = token.event { return elements }
            elements.append(try node(token, depth: depth))
        }
    }

    private mutating func entries(depth: Int) throws(YAMLError) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var lines: [String: Int] = [:]
        while true {
            let token = try next()
            if case .end = token.event { return entries }
            let key = try node(token, depth: depth)
            guard case .scalar(let name, _) = key.content else {
                throw error(.unsupported("keys that are not text"), at: key.mark)
            }
            if let first = lines[name] {
                note(.duplicateKey(name, firstLine: first), at: key.mark)
                _ = try node(try next(), depth: depth)
                continue
            }
            lines[name] = key.mark.line
            entries.append(YAMLNode.Entry(key: name, mark: key.mark, value: try node(try next(), depth: depth)))
        }
    }

    private mutating func note(_ decoration: EventStream.Decoration, at mark: YAMLMark) {
        if decoration.anchored { note(.unsupported("anchors (&name)"), at: mark) }
        if decoration.tagged { note(.unsupported("tags (!name)"), at: mark) }
    }

    private mutating func note(_ problem: YAMLError.Problem, at mark: YAMLMark) {
        if mistakes.count < YAMLMender.mostErrors { mistakes.append(error(problem, at: mark)) }
    }

    private func error(_ problem: YAMLError.Problem, at mark: YAMLMark) -> YAMLError {
        YAMLError(file: file, mark: mark, problem: problem)
    }
}
