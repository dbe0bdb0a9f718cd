import JSON

/// Counters of the HTTP server since the start.
public struct HTTPStatistics: Equatable, Sendable {
    public internal(set) var connections = 0
    public internal(set) var accepted = 0
    /// Connections that were closed to make room for a new one.
    public internal(set) var displaced = 0
    /// Connections that were rejected because there was no room.
    public internal(set) var connectionsRefused = 0
    /// Connections that were closed because they were too slow or silent.
    public internal(set) var timedOut = 0
    public internal(set) var requests = 0
    public internal(set) var streams = 0
    /// Requests that were rejected after reading only their headers.
    public internal(set) var refused = 0
    public internal(set) var wrongTokens = 0

    init() {}

    var json: JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return .object([
            "connections": count(connections), "accepted": count(accepted), "displaced": count(displaced),
            "connectionsRefused": count(connectionsRefused), "timedOut": count(timedOut), "requests": count(requests),
            "streams": count(streams), "refused": count(refused), "wrongTokens": count(wrongTokens),
        ])
    }
}
