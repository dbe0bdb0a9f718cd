/// Why a configuration cannot be used: file, line, column, key path, and the expected value.
///
/// It prints as `phone.yaml:12:5: panel.hook.debounce: expected a duration from 0 ms to 1 s, found "fast"`.
public struct YAMLError: Error, Equatable, Sendable {
    public enum Problem: Equatable, Sendable {
        /// The file cannot be opened or read; with the system's reason.
        case unreadable(String)
        /// The text is not YAML; with the parser's reason.
        case syntax(String)
        /// A feature of YAML that we reject: aliases, tags, several documents, keys that are not text.
        case unsupported(String)
        /// The text is larger, deeper or has more nodes than `YAMLLimits` allows.
        case limit(String)
        case duplicateKey(String, firstLine: Int)
        case unknownKey(String, suggestion: String?)
        /// `similar` is another key in the section that may be a misspelling of the missing one.
        case missingKey(String, expected: String, similar: String?)
        case expected(String, found: String)
        /// Each value is valid, but they are not valid together.
        case invalid(String)
    }

    public let file: String
    /// Nil if the error is about the whole file.
    public let mark: YAMLMark?
    /// Keys from the root, joined by dots; list elements as `[2]`, counted from 1. Empty at the root.
    public let path: String
    public let problem: Problem
    /// An absent key of the section at `path` that would make the values valid. Nil: none is known.
    let absentKey: String?

    public init(file: String, mark: YAMLMark?, path: String = "", problem: Problem) {
        self.init(file: file, mark: mark, path: path, problem: problem, absentKey: nil)
    }

    init(file: String, mark: YAMLMark?, path: String, problem: Problem, absentKey: String?) {
        self.absentKey = absentKey
        self.file = file
        self.mark = mark
        self.path = path
        self.problem = problem
    }
}

extension YAMLError {
    /// Two errors are equal if they print the same.
    public static func == (one: YAMLError, other: YAMLError) -> Bool {
        (one.file, one.mark, one.path, one.problem) == (other.file, other.mark, other.path, other.problem)
    }
}

extension YAMLError: CustomStringConvertible {
    public var description: String {
        let place = mark.map { "\(file):\($0.line):\($0.column): " } ?? "\(file): "
        return place + (path.isEmpty ? "" : path + ": ") + problem.description
    }

    /// Text of the file for a message: in quotes, cut to 40 Unicode scalars, control characters shown as `?`.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(40).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: "?"
            default: String(scalar)
            }
        }
        return "\"\(shown.joined())\(text.unicodeScalars.count > 40 ? "…" : "")\""
    }
}

extension YAMLError.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .syntax(let reason): reason
        case .unsupported(let what): "\(what) are not supported here"
        case .limit(let what): what
        case .duplicateKey(let key, let line): "key \(YAMLError.quoted(key)) appears twice; first in line \(line)"
        case .unknownKey(let key, let suggestion):
            "unknown key \(YAMLError.quoted(key))"
                + (suggestion.map { " (did you mean \(YAMLError.quoted($0))?)" } ?? "")
        case .missingKey(let key, let expected, let similar):
            "missing key \(YAMLError.quoted(key)): expected \(expected)"
                + (similar.map { " (did you misspell it as \(YAMLError.quoted($0))?)" } ?? "")
        case .expected(let expected, let found): "expected \(expected), found \(found)"
        case .invalid(let reason): reason
        }
    }
}
