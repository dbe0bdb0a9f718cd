import PhoneCore

/// The first position at which two lists of effects differ.
public struct Difference: Equatable, Sendable {
    /// Counted from 1.
    public let position: Int
    /// Nil: no effect at this position.
    public let recorded: PhoneEffect?
    public let now: PhoneEffect?

    init?(recorded: [PhoneEffect], now: [PhoneEffect]) {
        let length = max(recorded.count, now.count)
        func at(_ index: Int, _ effects: [PhoneEffect]) -> PhoneEffect? {
            index < effects.count ? effects[index] : nil
        }
        guard let index = (0..<length).first(where: { at($0, recorded) != at($0, now) }) else { return nil }
        position = index + 1
        (self.recorded, self.now) = (at(index, recorded), at(index, now))
    }
}
