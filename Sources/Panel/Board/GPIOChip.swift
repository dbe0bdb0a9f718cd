/// A chip of this machine whose lines a board file may name.
public struct GPIOChip: Equatable, Sendable {
    public let path: String
    /// The driver's name for it; empty if it cannot be opened.
    public let label: String
    /// Why it cannot be used; nil: it can.
    public let problem: String?

    package init(path: String, label: String, problem: String? = nil) {
        (self.path, self.label, self.problem) = (path, label, problem)
    }

    /// The chips of this machine, by path. Cost: one look at each.
    public static func all() -> [GPIOChip] { ChipFinder().list }
}
