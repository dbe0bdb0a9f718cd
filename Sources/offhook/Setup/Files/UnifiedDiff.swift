/// Compares two texts line by line, in the format of `diff -u`.
package enum UnifiedDiff {
    /// Unchanged lines around each change.
    private static let context = 3
    /// A longer file is shown as replaced, because the comparison costs the product of both line counts.
    private static let longest = 2_000

    private enum Step: Equatable {
        case kept(String)
        case removed(String)
        case added(String)

        var line: String {
            switch self {
            case .kept(let line): " " + line
            case .removed(let line): "-" + line
            case .added(let line): "+" + line
            }
        }

        var isChange: Bool {
            if case .kept = self { false } else { true }
        }
    }

    /// - Parameter old: Nil: the file does not exist.
    package static func lines(from old: String?, to new: String, path: String) -> [String] {
        guard old != new else { return [] }
        let steps = steps(from: split(old ?? ""), to: split(new))
        let head = ["--- \(old == nil ? "/dev/null" : path)", "+++ \(path)"]
        return head + hunks(steps).flatMap { hunk(steps, $0) }
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The steps, using the longest common subsequence of lines.
    private static func steps(from old: [String], to new: [String]) -> [Step] {
        guard old.count <= longest, new.count <= longest else {
            return old.map { .removed($0) } + new.map { .added($0) }
        }
        var lengths = [[Int]](repeating: [Int](repeating: 0, count: new.count + 1), count: old.count + 1)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                lengths[row][column] =
                    old[row] == new[column]
                    ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
            }
        }
        var steps: [Step] = []
        var (row, column) = (0, 0)
        while row < old.count, column < new.count {
            if old[row] == new[column] {
                steps.append(.kept(old[row]))
                (row, column) = (row + 1, column + 1)
            } else if lengths[row + 1][column] >= lengths[row][column + 1] {
                steps.append(.removed(old[row]))
                row += 1
            } else {
                steps.append(.added(new[column]))
                column += 1
            }
        }
        return steps + old[row...].map { .removed($0) } + new[column...].map { .added($0) }
    }

    /// Ranges of steps with changes and their context. Touching ranges are merged.
    private static func hunks(_ steps: [Step]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in steps.indices where steps[index].isChange {
            let range = max(0, index - context)..<min(steps.count, index + context + 1)
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    private static func hunk(_ steps: [Step], _ range: Range<Int>) -> [String] {
        func count(_ steps: ArraySlice<Step>, without: (Step) -> Bool) -> Int { steps.count { !without($0) } }
        func isAdded(_ step: Step) -> Bool { if case .added = step { true } else { false } }
        func isRemoved(_ step: Step) -> Bool { if case .removed = step { true } else { false } }
        let before = steps[..<range.lowerBound]
        let here = steps[range]
        let old = place(count(before, without: isAdded), count(here, without: isAdded))
        let new = place(count(before, without: isRemoved), count(here, without: isRemoved))
        return ["@@ -\(old) +\(new) @@"] + here.map(\.line)
    }

    /// Formats `first,count`. For an empty range, `first` is the line before it.
    private static func place(_ before: Int, _ count: Int) -> String {
        count == 0 ? "\(before),0" : "\(before + 1),\(count)"
    }
}
