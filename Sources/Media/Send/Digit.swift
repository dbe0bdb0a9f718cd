import PhoneCore

/// One element of a digit sequence on its way to the audio thread.
struct Digit: BitwiseCopyable, Sendable {
    enum Element: BitwiseCopyable, Sendable {
        /// The event code of RFC 4733 §3.2.
        case symbol(UInt8)
        case pause
    }

    let element: Element
    /// The digit is sent in-band, even if the far end accepts events.
    let isInBand: Bool
    let isLast: Bool

    /// Fills the free slots of a ring.
    static let none = Digit(.pause, isInBand: false, isLast: false)

    init(_ element: DTMFElement, isInBand: Bool, isLast: Bool) {
        switch element {
        case .symbol(let symbol): self.element = .symbol(symbol.rawValue)
        case .pause: self.element = .pause
        }
        (self.isInBand, self.isLast) = (isInBand, isLast)
    }
}
