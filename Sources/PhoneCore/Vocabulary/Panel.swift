/// What the panel tells: debounced, decoded, in logical polarity.
public enum PanelEvent: Equatable, Sendable {
    /// The level read at start. A handset that already lies beside the phone does not dial.
    case hookFound(HookPosition)
    case hook(HookPosition)
    case pressed(Key)
    case released(Key)
    /// The panel cannot be used (any more); calls live on. The text is for people.
    case failed(String)
}

public enum Lamp: String, CaseIterable, Hashable, Sendable { case line, ringing, message, mute, hold, speaker }

public enum LampPattern: Equatable, Sendable {
    case off, on
    /// 1 Hz: held.
    case slowBlink
    /// 4 Hz: ringing.
    case fastBlink
    /// Parked.
    case flutter
}

/// When the bell sounds and pauses, alternately, beginning with sound; repeated until told otherwise.
public struct RingCadence: Equatable, Sendable {
    public let phases: [Duration]

    /// - Precondition: an even number of positive durations, at least two.
    public init(_ phases: [Duration]) {
        precondition(phases.count >= 2 && phases.count.isMultiple(of: 2), "a cadence is pairs of sound and pause")
        precondition(phases.allSatisfy { $0 > .zero }, "a cadence's phases are positive")
        self.phases = phases
    }
}

public enum PanelEffect: Equatable, Sendable {
    case lamp(Lamp, LampPattern)
    /// Nil silences the bell at once.
    case ringer(RingCadence?)
}
