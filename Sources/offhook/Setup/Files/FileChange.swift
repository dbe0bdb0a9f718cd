/// A new text for a file, and its present text.
package struct FileChange: Equatable, Sendable {
    package let path: String
    /// Nil: the file does not exist.
    package let before: String?
    package let after: String

    package init(path: String, before: String?, after: String) {
        (self.path, self.before, self.after) = (path, before, after)
    }

    package var isNeeded: Bool { before != after }

    package var diff: [String] { UnifiedDiff.lines(from: before, to: after, path: path) }
}
