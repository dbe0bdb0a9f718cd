/// One pattern of a dial plan. It describes the numbers that it matches.
///
/// The pattern is stored as a sequence of single-key steps. The keys typed so far are a set of positions in that
/// sequence. Each key takes two passes over the steps: one moves every position, one skips optional steps. So the cost
/// of a number is at most its length times twice 32, however the pattern repeats itself.
struct DialPattern: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        let keys: KeySet
        /// Whether the pattern also matches without this key.
        let mayBeSkipped: Bool
    }

    /// The most keys that a number has.
    static let mostKeys = 32
    static let mostCharacters = 64

    /// The pattern as it was written.
    let text: String
    /// At most `mostKeys`, and at least one that may not be skipped.
    let steps: [Step]
    /// Whether digits and stars may follow.
    let isOpen: Bool

    /// The keys that may follow an open pattern. Stars separate the parts of a feature code. `#` is not among them
    /// because people press it to dial.
    private static let further = KeySet.digits(0...9).union(.star)

    /// Whether the keys match, and whether more keys after them could.
    func follow(_ keys: [KeySet]) -> (matches: Bool, mayGrow: Bool) {
        var places = skipping(from: 1)
        for key in keys { places = skipping(from: advance(places, by: key)) }
        let end = UInt64(1) << UInt64(steps.count)
        let matches = places & end != 0
        return (matches, places & ~end != 0 || matches && isOpen)
    }

    /// Bit *n* is set if the first *n* steps are done.
    private func advance(_ places: UInt64, by key: KeySet) -> UInt64 {
        var next: UInt64 = 0
        for (index, step) in steps.enumerated() where places >> UInt64(index) & 1 != 0 && step.keys.contains(key) {
            next |= 1 << UInt64(index + 1)
        }
        let end = UInt64(1) << UInt64(steps.count)
        return isOpen && Self.further.contains(key) ? next | places & end : next
    }

    /// The steps are taken in rising order, so that one pass covers several skipped steps in succession.
    private func skipping(from places: UInt64) -> UInt64 {
        var places = places
        for (index, step) in steps.enumerated() where step.mayBeSkipped && places >> UInt64(index) & 1 != 0 {
            places |= 1 << UInt64(index + 1)
        }
        return places
    }
}
