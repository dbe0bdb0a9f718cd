/// A file that is to be written, and what stands there now.
package struct FileChange: Equatable, Sendable {
    package let path: String
    /// Nil: there is no such file.
    package let before: String?
    package let after: String

    package init(path: String, before: String?, after: String) {
        (self.path, self.before, self.after) = (path, before, after)
    }

    package var isNeeded: Bool { before != after }

    package var diff: [String] { UnifiedDiff.lines(from: before, to: after, path: path) }
}
