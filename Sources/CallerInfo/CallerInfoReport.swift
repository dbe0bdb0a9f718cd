import CallerInfoCore

/// A report about the broker for the log.
public enum CallerInfoReport: Equatable, Sendable {
    /// libmosquitto cannot be loaded, for this reason.
    case cannotLoad(String)
    case connected(broker: String, BrokerRetry.Version)
    /// An attempt or a connection failed. It is reported again only when the reason changes.
    case failed(broker: String, why: String)
    /// The phone has not dealt with a message in time. The broker sends it again.
    case unsettled
    /// Messages were dropped since the last such report. The reason is that of the last one.
    case dropped(Int, why: String)

    public var isWarning: Bool { if case .connected = self { false } else { true } }

    public var sentence: String {
        switch self {
        case .cannotLoad(let why):
            "caller info cannot be received: \(why); install \(MosquittoLibrary.package) and restart the phone"
        case .connected(let broker, .v5): "connected to \(broker) by MQTT 5"
        case .connected(let broker, .v311): "connected to \(broker) by MQTT 3.1.1"
        case .failed(let broker, let why): "no caller info from \(broker): \(why); the phone retries"
        case .unsettled: "a message was not dealt with in time; the broker sends it again"
        case .dropped(1, let why): "a message was dropped: \(why)"
        case .dropped(let count, let why): "\(count) messages were dropped; the last one: \(why)"
        }
    }
}

/// Counts since the start.
public struct CallerInfoStatistics: Equatable, Sendable {
    /// Whether the phone is connected and subscribed.
    public var isConnected = false
    public var connections = 0
    /// Messages that the phone got.
    public var taken = 0
    public var dropped: [CallerInfoIntake.Drop: Int] = [:]
    /// Messages that the phone got and has not dealt with in time.
    public var unsettled = 0

    public init() {}
}
