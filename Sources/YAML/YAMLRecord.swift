import Synchronization

/// The keys that a reading asks for, in order. One reading uses it, on one thread.
final class YAMLRecord: Sendable {
    private let entries = Mutex<[YAMLKey]>([])

    var keys: [YAMLKey] { entries.withLock { $0 } }

    func note(_ key: YAMLKey) { entries.withLock { $0.append(key) } }
}

extension YAMLDocument {
    /// All keys that `Content` asks for, with their values in this document. Elements of lists and entries of tables
    /// are included if they are in the document.
    public func keys<Content: YAMLReadable>(of _: Content.Type) throws(YAMLError) -> [YAMLKey] {
        let record = YAMLRecord()
        _ = try YAMLShape.section(Content.self).read(YAMLPlace(file: file, steps: [], node: root, record: record))
        return record.keys
    }
}

/// Finds all errors of a document by mending each and reading again.
struct YAMLMender {
    /// No text has so many errors that a person would read them all.
    static let mostErrors = 100

    private(set) var root: YAMLNode
    private let file: String
    private var errors: [YAMLError] = []
    /// How often the place of an error was mended.
    private var attempts: [String: Int] = [:]

    init(_ root: YAMLNode, file: String) { (self.root, self.file) = (root, file) }

    /// - Returns: The errors in the order in which they were found, and the keys of the last reading.
    mutating func run(
        reading read: (YAMLPlace) throws(YAMLError) -> Void
    ) -> (errors: [YAMLError], keys: [YAMLKey]) {
        while true {
            let record = YAMLRecord()
            do throws(YAMLError) {
                try read(YAMLPlace(file: file, steps: [], node: root, record: record))
                return (errors, record.keys)
            } catch {
                let place = place(of: error, record.keys)
                let attempt = attempts[place, default: 0]
                attempts[place] = attempt + 1
                if attempt == 0, !isConsequence(error) { errors.append(error) }
                guard errors.count < Self.mostErrors, attempt < 3, mend(error, record.keys, attempt) else {
                    return (errors, record.keys)
                }
            }
        }
    }

    /// A section may have several errors. Any other value has one, because mending replaces it.
    private func place(of error: YAMLError, _ keys: [YAMLKey]) -> String {
        if let form = keys.last(where: { $0.path == error.path })?.form {
            switch form.kind {
            case .text, .bool, .integer, .duration, .choice, .list: return error.path
            case .section, .table, .oneOf: break
            }
        }
        return error.path + "\n" + error.problem.description
    }

    /// Whether only the mending of another error led to this one.
    private func isConsequence(_ error: YAMLError) -> Bool {
        guard error.mark?.line != 0 else { return true }
        return errors.contains { known in
            if known.mark != nil, known.mark == error.mark { return true }
            if case .missingKey(let key, _, _) = error.problem, known.path == "\(error.path).\(key)" { return true }
            return known.problem == error.problem && known.path != error.path
                && (Self.contains(error.path, known.path) || Self.contains(known.path, error.path))
        }
    }

    private static func contains(_ section: String, _ path: String) -> Bool {
        section.isEmpty || path.hasPrefix(section + ".")
    }

    /// Changes the document so that the next reading finds another error.
    /// - Parameter attempt: The number of attempts before, which did not help.
    private mutating func mend(_ error: YAMLError, _ keys: [YAMLKey], _ attempt: Int) -> Bool {
        let known = keys.last { $0.path == error.path }
        guard let steps = error.path.isEmpty ? [] : known?.steps, let node = root.value(at: steps) else { return false }
        switch error.problem {
        case .unknownKey(let key, _): return change { $0.removing(steps + [.key(key)]) }
        case .missingKey(let key, _, let similar) where attempt == 0:
            if let similar { return change { $0.renaming(similar, to: key, in: steps) } }
            return give(steps + [.key(key)], keys)
        case .invalid where attempt == 0 && error.absentKey != nil:
            return error.absentKey.map { give(steps + [.key($0)], keys) } ?? false
        case .missingKey, .invalid, .expected, .unreadable, .syntax, .unsupported, .limit, .duplicateKey:
            // A table's own key may be the wrong one.
            if case .mapping(let entries) = node.content, error.mark != node.mark,
                let wrong = entries.first(where: { $0.mark == error.mark })
            {
                return change { $0.removing(steps + [.key(wrong.key)]) }
            }
            // An example beside the other elements could be one of them again.
            if attempt == 0, case .element? = steps.last,
                case .list(_, let count) = keys.last(where: { $0.steps == Array(steps.dropLast()) })?.form.kind,
                case .sequence(let elements) = root.value(at: steps.dropLast())?.content,
                elements.count > count.lowerBound
            {
                return change { $0.removing(steps) }
            }
            if attempt == 0, let example = known?.form.example(), example != node.content {
                return change { $0.setting(steps, to: YAMLNode(content: example, mark: node.mark)) }
            }
            guard !steps.isEmpty else { return false }
            return change { $0.removing(attempt < 2 ? steps : steps.dropLast()) }
        }
    }

    /// Adds an absent key with an example of its value.
    private mutating func give(_ steps: [YAMLKey.Step], _ keys: [YAMLKey]) -> Bool {
        guard let example = keys.last(where: { $0.steps == steps })?.form.example() else { return false }
        // No text has a line 0, so no error seems to be at the place of another one.
        return change { $0.setting(steps, to: YAMLNode(content: example, mark: YAMLMark(line: 0, column: 0))) }
    }

    private mutating func change(_ change: (YAMLNode) -> YAMLNode?) -> Bool {
        guard let changed = change(root), changed != root else { return false }
        root = changed
        return true
    }
}

extension YAMLDocument {
    /// Every error of this document as `Content`, in the order of the text.
    public func errors<Content: YAMLReadable>(reading _: Content.Type) -> [YAMLError] {
        var mender = YAMLMender(root, file: file)
        let shape = YAMLShape.section(Content.self)
        let found = mender.run { place throws(YAMLError) in _ = try shape.read(place) }.errors
        return (mistakes + found).sorted { ($0.mark?.order ?? (0, 0)) < ($1.mark?.order ?? (0, 0)) }
    }
}

extension YAMLMark {
    fileprivate var order: (Int, Int) { (line, column) }
}

extension YAMLForm {
    /// The form of a section, found by reading an empty one and adding what it requires.
    static func section(_ read: @escaping @Sendable (YAMLPlace) throws(YAMLError) -> Void) -> YAMLForm {
        @Sendable func explore() -> (root: YAMLNode, keys: [YAMLKey]) {
            var mender = YAMLMender(YAMLNode(content: .mapping([]), mark: YAMLMark(line: 0, column: 0)), file: "")
            let keys = mender.run(reading: read).keys
            return (mender.root, keys)
        }
        return YAMLForm(
            "a section", .section { explore().keys.filter { $0.steps.count == 1 } },
            example: { explore().root.content })
    }
}
