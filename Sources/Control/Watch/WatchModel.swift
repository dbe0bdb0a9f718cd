import Base
import JSON

/// What `offhook ctl watch` knows of a phone: the last snapshot, the quality of its calls, and the last events.
///
/// Events tell that something changed, and the snapshot tells how things are. So whoever feeds the model asks for a
/// snapshot when `isOutdated` is set.
public struct WatchModel: Equatable, Sendable {
    /// Events that are kept.
    static let eventLimit = 100
    /// Calls whose quality is kept; the phone allows fewer.
    static let callLimit = 16

    struct Quality: Equatable, Sendable {
        var last: JSONValue = nil
        var mos = Sparkline(1...4.5)
        var jitter = Sparkline(0...50)
        var loss = Sparkline(0...10)
    }

    struct Level: Equatable, Sendable {
        let name: String
        /// Nil for silence.
        var last: Double?
        var line = Sparkline(-60...0)

        init(_ name: String) { self.name = name }
    }

    private(set) var snapshot: JSONValue = nil
    private(set) var qualities: [String: Quality] = [:]
    /// How loud microphone and playback are, in dB below full scale.
    private(set) var levels = [Level("microphone"), Level("playback")]
    private(set) var events: [ControlEvent] = []
    /// Why there is no connection to the phone; nil while there is one.
    private(set) var lost: String?
    /// Whether an event has told of a change that the snapshot does not have.
    public private(set) var isOutdated = true

    public init() {}

    public mutating func show(_ snapshot: JSONValue) {
        (self.snapshot, isOutdated, lost) = (snapshot, false, nil)
        let calls = Set(snapshot["calls"]?.array?.compactMap { $0["call"]?.string } ?? [])
        qualities = qualities.filter { calls.contains($0.key) }
    }

    public mutating func take(_ event: ControlEvent) {
        switch event.name {
        // The time of a call is counted from the snapshot.
        case EventName.callDurationUpdated.rawValue: return
        case EventName.callQualityUpdated.rawValue: return take(event.fields["quality"], of: event.fields["call"])
        default: break
        }
        events = (events + [event]).suffix(Self.eventLimit)
        isOutdated = true
    }

    /// The last snapshot, or why there is none; nil before the first.
    public var json: JSONValue? {
        if let lost { return ["lost": .string(lost)] }
        return snapshot == nil ? nil : snapshot
    }

    /// Whether somebody talks, so that levels are worth asking for.
    public var hasCalls: Bool { snapshot["calls"]?.array?.isEmpty == false }

    /// - Parameter statistics: The answer to `getStatistics`.
    public mutating func show(levelsOf statistics: JSONValue) {
        for index in levels.indices {
            levels[index].last = statistics["levels"]?[levels[index].name]?.double
            levels[index].line.append(levels[index].last ?? -.infinity)
        }
    }

    /// The phone is gone; what was known of it is not true any more.
    public mutating func lose(_ why: String) {
        self = WatchModel()
        lost = why
    }

    private mutating func take(_ quality: JSONValue?, of call: JSONValue?) {
        guard let quality, let call = call?.string else { return }
        guard qualities[call] != nil || qualities.count < Self.callLimit else { return }
        var known = qualities[call] ?? Quality()
        known.last = quality
        if let mos = quality["mos"]?.double { known.mos.append(mos) }
        if let jitter = quality["jitterMs"]?.double { known.jitter.append(jitter) }
        if let loss = quality["lossPercent"]?.double { known.loss.append(loss) }
        qualities[call] = known
    }
}
