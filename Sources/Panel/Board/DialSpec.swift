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
