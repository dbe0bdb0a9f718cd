/// The checks of a rehearsal, and their results.
public struct CheckList: Sendable {
    public struct Check: Equatable, Sendable {
        public let name: String
        public let held: Bool
        /// The measured value.
        public let detail: String
    }

    public private(set) var checks: [Check] = []

    public init() {}

    public var allHeld: Bool { !checks.isEmpty && checks.allSatisfy(\.held) }

    public mutating func expect(_ name: String, _ held: Bool, _ detail: String) {
        checks.append(Check(name: name, held: held, detail: detail))
    }

    public mutating func append(_ other: CheckList) { checks += other.checks }

    public var lines: [String] {
        let width = checks.map(\.name.count).max() ?? 0
        return checks.map { check in
            let gap = String(repeating: " ", count: width - check.name.count + 2)
            return (check.held ? "  ok    " : "  FAIL  ") + check.name + gap + check.detail
        }
    }
}
