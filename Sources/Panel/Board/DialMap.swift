import PhoneCore

/// The digit that each number of pulses means.
///
/// |pulses|1|2|3|4|5|6|7|8|9|10|
/// |-|-|-|-|-|-|-|-|-|-|-|
/// |nearly everywhere|1|2|3|4|5|6|7|8|9|0|
/// |Sweden|0|1|2|3|4|5|6|7|8|9|
/// |New Zealand|9|8|7|6|5|4|3|2|1|0|
public struct DialMap: Equatable, Sendable {
    /// The digits, beginning with that of one pulse.
    public let digits: [DTMFSymbol]

    public static let standard = DialMap(one: .one, two: .two)
    public static let sweden = DialMap(one: .zero, two: .one)
    public static let newZealand = DialMap(one: .nine, two: .eight)

    /// - Parameter text: `standard`, `sweden`, `new-zealand`, or ten different digits, beginning with that of one pulse.
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
