/// Follows a rotary encoder's two contacts (quadrature). A value type.
///
/// The contacts never move together. So a bouncing contact counts forward and back, which adds up to zero, and no
/// debouncing is needed. At each rest it decides whether the knob was turned; this also makes up for a lost edge.
package struct RotaryEncoder: Equatable, Sendable {
    package enum Direction: Equatable, Sendable { case clockwise, counterclockwise }

    /// Changes per detent: 1, 2 or 4.
    private let changes: Int
    /// The index in the sequence of the four levels: none, leading, both, trailing.
    private var place: Int
    /// Changes since the last rest; clockwise ones are positive.
    private var turned = 0

    /// - Precondition: `changes` is 1, 2 or 4.
    package init(changes: Int, leading: Bool, trailing: Bool) {
        precondition([1, 2, 4].contains(changes), "not an encoder's changes")
        self.changes = changes
        place = Self.place(leading, trailing)
    }

    package var leading: Bool { place == 1 || place == 2 }
    package var trailing: Bool { place == 2 || place == 3 }

    /// The contacts have these levels now.
    /// - Returns: The direction, when the knob reached another rest.
    package mutating func moved(leading: Bool, trailing: Bool) -> Direction? {
        let next = Self.place(leading, trailing)
        let step = (next - place + 4) % 4
        place = next
        // Two changes at once have no direction, so the earlier direction continues.
        turned += [0, 1, 2 * turned.signum(), -1][step]
        guard place.isMultiple(of: changes) else { return nil }
        defer { turned = 0 }
        // Half of the changes are enough, because edges of the other half may be lost.
        guard abs(turned) * 2 >= changes else { return nil }
        return turned > 0 ? .clockwise : .counterclockwise
    }

    private static func place(_ leading: Bool, _ trailing: Bool) -> Int {
        switch (leading, trailing) {
        case (false, false): 0
        case (true, false): 1
        case (true, true): 2
        case (false, true): 3
        }
    }
}
