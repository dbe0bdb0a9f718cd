/// The delays at which a row of segments matches best as a whole.
///
/// A short piece of speech alone matches at many delays, once for every period of the voice; its neighbours decide.
/// From one segment to the next the delay moves freely by as much as a phone stretches. A larger move (a lost packet,
/// a stalled machine) must gain half a correlation.
/// - SeeAlso: G. D. Forney, "The Viterbi algorithm", Proceedings of the IEEE 61, 1973.
struct DelayPath {
    private static let costOfJump: Float = 0.5

    /// How many delays further a segment may be at no cost.
    private let reach: Int
    /// The value of the best path that ends at each delay.
    private var worth: [Float] = []
    /// The origin of the best path: by segment but the first, and by delay.
    private var origins: [[Int]] = []

    init(reach: Int) {
        self.reach = reach
    }

    /// The next segment's correlation at each delay, always as many.
    mutating func append(_ correlations: [Float]) {
        guard let jump = Self.best(of: worth, in: worth.indices) else {
            worth = correlations
            return
        }
        var came: [Int] = []
        came.reserveCapacity(correlations.count)
        worth = correlations.indices.map { delay in
            let near = max(0, delay - reach)..<min(worth.count, delay + reach + 1)
            let glide = Self.best(of: worth, in: near) ?? delay
            let jumped = worth[jump] - Self.costOfJump
            came.append(worth[glide] >= jumped ? glide : jump)
            return correlations[delay] + max(worth[glide], jumped)
        }
        origins.append(came)
    }

    /// The delay of each segment, as its index.
    var delays: [Int] {
        guard let last = Self.best(of: worth, in: worth.indices) else { return [] }
        var path = [last]
        for came in origins.reversed() { path.append(came[path[path.count - 1]]) }
        return path.reversed()
    }

    private static func best(of worth: [Float], in range: Range<Int>) -> Int? {
        range.max { worth[$0] < worth[$1] }
    }
}
