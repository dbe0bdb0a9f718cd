import Base
import JSON

/// The data of `offhook ctl watch`: the last snapshot, the quality of calls, and the last events.
///
/// An event only signals a change; the snapshot has the state. So the owner requests a snapshot when `isOutdated` is
/// set.
public struct WatchModel: Equatable, Sendable {
    /// The number of stored events.
    static let eventLimit = 100
    /// The number of calls with stored quality. The phone allows fewer.
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
    /// The levels of microphone and playback, in dB below full scale.
    private(set) var levels = [Level("microphone"), Level("playback")]
    private(set) var events: [ControlEvent] = []
    /// Why there is no connection to the phone; nil while there is one.
    private(set) var lost: String?
    /// Whether an event has signalled a change that the snapshot does not have.
    public private(set) var isOutdated = true

    public init() {}

    public mutating func show(_ snapshot: JSONValue) {
        (self.snapshot, isOutdated, lost) = (snapshot, false, nil)
        let calls = Set(snapshot["calls"]?.array?.compactMap { $0["call"]?.string } ?? [])
        qualities = qualities.filter { calls.contains($0.key) }
    }

    public mutating func take(_ event: ControlEvent) {
        switch event.name {
        // The view computes a call's duration from the snapshot.
        case EventName.callDurationUpdated.rawValue: return
        case EventName.callQualityUpdated.rawValue: return take(event.fields["quality"], of: event.fields["call"])
        default: break
        }
        events = (events + [event]).suffix(Self.eventLimit)
        isOutdated = true
    }

    /// The last snapshot, or why the phone is lost; nil before the first.
    public var json: JSONValue? {
        if let lost { return ["lost": .string(lost)] }
        return snapshot == nil ? nil : snapshot
    }

    /// Whether there is a call, so that levels are useful.
    public var hasCalls: Bool { snapshot["calls"]?.array?.isEmpty == false }

    /// - Parameter statistics: The answer to `getStatistics`.
    public mutating func show(levelsOf statistics: JSONValue) {
        for index in levels.indices {
            levels[index].last = statistics["levels"]?[levels[index].name]?.double
            levels[index].line.append(levels[index].last ?? -.infinity)
        }
    }

    /// Forgets everything, because the phone is gone.
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

/// The last values of a repeated measurement, as a row of blocks.
struct Sparkline: Equatable, Sendable {
    /// The number of values.
    static let limit = 16
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// The values of the lowest and the highest block.
    let range: ClosedRange<Double>
    private(set) var values: [Double] = []

    init(_ range: ClosedRange<Double>) { self.range = range }

    mutating func append(_ value: Double) {
        values = (values + [value]).suffix(Self.limit)
    }

    /// A value out of range shows as the nearest one in it.
    var text: String {
        String(
            values.map { value in
                let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
                let step = (share * Double(Self.blocks.count - 1)).rounded()
                // NaN has no place in the range, so draw it lowest.
                return Self.blocks[step >= 0 ? min(Int(min(step, 100)), Self.blocks.count - 1) : 0]
            })
    }
}
