import PhoneCore
import YAML

/// A rotary dial: a contact that opens once for each pulse, and perhaps one that is active while the dial turns.
public struct DialSpec: YAMLReadable, Equatable {
    /// Active while the pulse contact is open.
    public let pulse: LineSpec
    /// Active while the dial is away from its rest position.
    public let offNormal: LineSpec?
    public let timing: DialTiming
    public let map: DialMap

    public init(from section: inout YAMLSection) throws(YAMLError) {
        pulse = try section.required("pulse", .section())
        offNormal = try section.optional("off_normal", .section())
        timing = try DialTiming(from: &section)
        let shape = YAMLShape.scalar("standard, sweden, new-zealand or ten different digits") { DialMap($0) }
        map = try section.optional("map", shape) ?? .standard
    }
}

/// The times of a rotary dial. The defaults accept 8 to 11 pulses a second, with a break of 60 to 67 % of the period.
public struct DialTiming: YAMLReadable, Equatable {
    /// How long a contact must be at rest until its level is accepted.
    public let debounce: Duration
    /// The pause after a digit's last pulse. It ends the digit if there is no off-normal contact.
    public let silence: Duration
    /// The longest time from one pulse to the next. A longer time means that a pulse is missing.
    public let period: Duration

    public init(from section: inout YAMLSection) throws(YAMLError) {
        let debounce = YAMLShape.duration(in: .milliseconds(1) ... .milliseconds(20))
        self.debounce = try section.optional("debounce", debounce) ?? .milliseconds(8)
        let silence = YAMLShape.duration(in: .milliseconds(100) ... .seconds(1))
        self.silence = try section.optional("silence", silence) ?? .milliseconds(200)
        let period = YAMLShape.duration(in: .milliseconds(50) ... .milliseconds(400))
        self.period = try section.optional("period", period) ?? .milliseconds(150)
        guard self.period <= self.silence else {
            throw section.error("period", "a pulse's period must not be longer than the silence that ends a digit")
        }
    }

    /// - Precondition: 0 < `debounce`, and `debounce` < `period` ≤ `silence`.
    public init(
        debounce: Duration = .milliseconds(8), silence: Duration = .milliseconds(200),
        period: Duration = .milliseconds(150)
    ) {
        precondition(debounce > .zero && debounce < period && period <= silence, "not the times of a dial")
        self.debounce = debounce
        self.silence = silence
        self.period = period
    }

    /// The limit for one break: longer than any break, shorter than two breaks and the lost make between them.
    var longestBreak: Duration { period * 4 / 5 }
    /// The limit for one make: longer than any make between two pulses, shorter than the time from one make to the
    /// next.
    var longestMake: Duration { period / 2 }
    /// A time that is shorter than any break and any make.
    var shortestRest: Duration { period / 5 }
}

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
