/// One pattern of a dial plan: which numbers it is about.
///
/// It is kept as a row of single keys. What has been typed is a set of places in that row, and each key passes twice over
/// the row: once to move every place, once to skip. So no pattern, however it repeats itself, makes a number cost more
/// than its length times twice 32.
struct DialPattern: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        let keys: KeySet
        /// Whether the pattern also matches without this key.
        let mayBeSkipped: Bool
    }

    /// No number has more keys.
    static let mostKeys = 32
    static let mostCharacters = 64

    /// As it was written.
    let text: String
    /// At most `mostKeys`, and at least one that may not be skipped.
    let steps: [Step]
    /// Whether digits and stars may follow.
    let isOpen: Bool

    /// What an open pattern goes on with. Stars separate the parts of a feature code; `#` is how a person says *dial*.
    private static let further = KeySet.digits(0...9).union(.star)

    /// Whether the keys match, and whether more keys after them could.
    func follow(_ keys: [KeySet]) -> (matches: Bool, mayGrow: Bool) {
        var places = skipping(from: 1)
        for key in keys { places = skipping(from: advance(places, by: key)) }
        let end = UInt64(1) << UInt64(steps.count)
        let matches = places & end != 0
        return (matches, places & ~end != 0 || matches && isOpen)
    }

    /// Bit *n*: the first *n* steps are behind.
    private func advance(_ places: UInt64, by key: KeySet) -> UInt64 {
        var next: UInt64 = 0
        for (index, step) in steps.enumerated() where places >> UInt64(index) & 1 != 0 && step.keys.contains(key) {
            next |= 1 << UInt64(index + 1)
        }
        let end = UInt64(1) << UInt64(steps.count)
        return isOpen && Self.further.contains(key) ? next | places & end : next
    }

    /// In rising order, so that steps skipped one after the other take one pass.
    private func skipping(from places: UInt64) -> UInt64 {
        var places = places
        for (index, step) in steps.enumerated() where step.mayBeSkipped && places >> UInt64(index) & 1 != 0 {
            places |= 1 << UInt64(index + 1)
        }
        return places
    }
}
