import PhoneCore

/// One element of a digit sequence on its way to the audio thread.
enum Digit: BitwiseCopyable, Sendable {
    /// The event code of RFC 4733 §3.2.
    case symbol(UInt8, isLast: Bool)
    case pause(isLast: Bool)

    init(_ element: DTMFElement, isLast: Bool) {
        switch element {
        case .symbol(let symbol): self = .symbol(symbol.rawValue, isLast: isLast)
        case .pause: self = .pause(isLast: isLast)
        }
    }

    var isLast: Bool {
        switch self {
        case .symbol(_, let isLast), .pause(let isLast): isLast
        }
    }
}
