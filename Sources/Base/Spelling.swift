/// Finds the word that a mistyped one was probably meant to be.
package enum Spelling {
    private static let longest = 40

    /// - Returns: The nearest candidate, if it is near: one edit up to four letters, two from five letters on.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        guard word.count <= longest else { return nil }
        let tolerance = word.count < 5 ? 1 : 2
        let ranked = candidates.map { (distance: distance($0, word), word: $0) }.filter { $0.distance <= tolerance }
        return ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
    }

    /// The number of edits that turn one word into the other: inserted, deleted or replaced letters, or swapped
    /// neighbours.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.prefix(longest + 1)), Array(right))
        var rows = [Array(0...right.count)]
        for row in 1..<left.count + 1 {
            var current = [row]
            for column in 1..<right.count + 1 {
                let substitution = rows[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var best = min(rows[row - 1][column] + 1, current[column - 1] + 1, substitution)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
