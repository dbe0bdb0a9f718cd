/// A set of sequence numbers in a ring of fixed size. Of two numbers that are a multiple of `capacity` apart, only the
/// one inserted later stays. All memory is allocated in `init`.
struct SequenceMarks: Sendable {
    private var marks: [Int64]
    /// The highest number ever marked. A count above it needs no search.
    private var highest = Int64.min

    /// - Parameter capacity: a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity must be a power of two")
        marks = Array(repeating: .min, count: capacity)
    }

    func contains(_ sequence: Int64) -> Bool { marks[index(sequence)] == sequence }

    /// - Returns: false when it was marked before.
    mutating func insert(_ sequence: Int64) -> Bool {
        guard !contains(sequence) else { return false }
        marks[index(sequence)] = sequence
        highest = max(highest, sequence)
        return true
    }

    /// How many numbers of `range` are not marked. Cost: O(capacity) at most.
    func unmarked(in range: Range<Int64>) -> Int64 {
        let newest = max(range.lowerBound, range.upperBound - Int64(marks.count))
        guard highest >= newest else { return Int64(range.count) }
        var marked: Int64 = 0
        for sequence in newest..<range.upperBound where contains(sequence) { marked += 1 }
        return Int64(range.count) - marked
    }

    mutating func removeAll() {
        for index in marks.indices { marks[index] = .min }
        highest = .min
    }

    private func index(_ sequence: Int64) -> Int { Int(truncatingIfNeeded: sequence) & (marks.count - 1) }
}
