import Base
import Control
import Platform

/// Keeps a `WatchModel` up to date over one connection to the phone. Connects again after the phone restarts.
struct PhoneWatch {
    /// The pause between two attempts to connect.
    private static let retry = Duration.seconds(1)
    /// The interval between level queries in a call.
    private static let levelInterval = Duration.milliseconds(250)

    private let path: String
    private var client: ControlClient?
    private var isSubscribed = false
    private var next = MonotonicClock.now()
    private var nextLevels = MonotonicClock.now()
    private(set) var model = WatchModel()

    init(path: String, client: ControlClient) { (self.path, self.client) = (path, client) }

    /// Handles everything that arrives within this time.
    mutating func advance(for timeout: Duration) {
        do throws(ControlClientError) {
            try follow(for: timeout)
        } catch {
            (client, isSubscribed) = (nil, false)
            next = MonotonicClock.now() + Self.retry
            model.lose("\(error)")
        }
    }

    private mutating func follow(for timeout: Duration) throws(ControlClientError) {
        guard let client = client else { return try connect(or: timeout) }
        if !isSubscribed { try client.subscribe() }
        isSubscribed = true
        if model.isOutdated { model.show(try client.snapshot()) }
        if model.hasCalls, MonotonicClock.now() >= nextLevels {
            nextLevels = MonotonicClock.now() + Self.levelInterval
            model.show(levelsOf: try client.call("getStatistics"))
        }
        guard let first = try client.nextEvent(timeout: timeout) else { return }
        model.take(first)
        // Take everything that has already arrived, so that it costs one drawing, not many.
        while let event = try client.nextEvent(timeout: .zero) { model.take(event) }
    }

    private mutating func connect(or timeout: Duration) throws(ControlClientError) {
        guard MonotonicClock.now() >= next else { return Pause.milliseconds(timeout.nanoseconds / 1_000_000) }
        client = try ControlClient(path: path)
    }
}
