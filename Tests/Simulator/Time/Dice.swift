import Base

/// Chance, from a seed.
///
/// Every part of the world has its own dice, made from the seed and the part's name. One more throw in one part
/// changes nothing in the others, so a seed that found something keeps finding it.
package struct Dice: Sendable {
    private var generator: SeededGenerator

    package init(seed: UInt64, _ part: StaticString, _ index: Int = 0) {
        // FNV-1a over the name; the generator itself mixes neighbouring seeds.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in part.description.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        var mixer = SeededGenerator(seed: seed ^ hash &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
        generator = SeededGenerator(seed: mixer.next())
    }

    /// A generator for callers with their own distribution.
    mutating func fork() -> SeededGenerator { SeededGenerator(seed: generator.next()) }

    mutating func chance(_ chance: Chance) -> Bool { self.chance(percent: chance.percent) }

    mutating func chance(percent: Int) -> Bool { percent > 0 && int(in: 0...99) < percent }

    mutating func int(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        .nanoseconds(
            Int64.random(in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds, using: &generator))
    }

    /// A pause of any length up to twice the mean.
    mutating func pause(mean: Duration) -> Duration { duration(in: .zero...mean * 2) }

    /// - Precondition: there is something to pick.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(in: 0...elements.count - 1)] }
}
