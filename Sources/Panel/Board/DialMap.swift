import PhoneCore

/// The digit for each number of pulses. For 1 to 10 pulses:
///
/// - nearly everywhere: 1234567890
/// - Sweden: 0123456789
/// - New Zealand: 9876543210
public struct DialMap: Equatable, Sendable {
    /// The digits, beginning with the digit for one pulse.
    public let digits: [DTMFSymbol]

    public static let standard = DialMap(one: .one, two: .two)
    public static let sweden = DialMap(one: .zero, two: .one)
    public static let newZealand = DialMap(one: .nine, two: .eight)

    /// - Parameter text: `standard`, `sweden`, `new-zealand`, or ten different digits, beginning with the digit for one
    ///   pulse.
    public init?(_ text: String) {
        switch text {
        case "standard": self = .standard
        case "sweden": self = .sweden
        case "new-zealand": self = .newZealand
        default:
            let digits = text.compactMap { DTMFSymbol($0) }.filter { $0.rawValue < 10 }
            guard text.count == 10, Set(digits).count == 10 else { return nil }
            self.digits = digits
        }
    }

    /// All maps in use count up or down from the first digit, modulo ten.
    private init(one: DTMFSymbol, two: DTMFSymbol) {
        let step = Int(two.rawValue) - Int(one.rawValue)
        digits = (0..<10).compactMap { DTMFSymbol(rawValue: UInt8((Int(one.rawValue) + step * $0 + 10) % 10)) }
    }

    /// - Parameter pulses: 1 to 10.
    public func digit(pulses: Int) -> DTMFSymbol { digits[pulses - 1] }

    /// Nil for a symbol that no dial has: `*`, `#` and letters.
    public func pulses(of digit: DTMFSymbol) -> Int? { digits.firstIndex(of: digit).map { $0 + 1 } }
}
