/// A chip of this machine whose lines a board file may name.
public struct GPIOChip: Equatable, Sendable {
    public let path: String
    /// The driver's label for the chip; empty if it cannot be opened.
    public let label: String
    /// Why it cannot be used; nil: it is usable.
    public let problem: String?

    package init(path: String, label: String, problem: String? = nil) {
        (self.path, self.label, self.problem) = (path, label, problem)
    }

    /// The chips of this machine, ordered by path. Cost: one query for each.
    public static func all() -> [GPIOChip] { ChipFinder().list }
}
