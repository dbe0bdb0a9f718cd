import Base
import JSON

/// One event for subscribers: a JSON-RPC notification `event`. Its parameters are name, instant and fields.
public struct ControlEvent: Equatable, Sendable {
    public let name: String
    /// CLOCK_MONOTONIC, so that the events of two phones on one machine can be compared.
    public let at: Instant
    public let fields: [String: JSONValue]

    /// - Precondition: no field is named `name` or `at`.
    public init(name: String, at: Instant, fields: [String: JSONValue]) {
        precondition(fields["name"] == nil && fields["at"] == nil, "name and at are the event's own")
        self.name = name
        self.at = at
        self.fields = fields
    }

    /// Nil if the message is no event.
    init?(notification message: JSONValue) {
        guard message["method"] == "event", var fields = message["params"]?.object,
            let name = fields.removeValue(forKey: "name")?.string,
            let at = fields.removeValue(forKey: "at")?.integer
        else { return nil }
        self.init(name: name, at: Instant(nanoseconds: at), fields: fields)
    }

    /// Name, instant and fields in one object, the parameters of the notification.
    public var json: JSONValue {
        var members = fields
        members["name"] = .string(name)
        members["at"] = .integer(at.nanoseconds)
        return .object(members)
    }

    var notification: JSONValue { ["jsonrpc": "2.0", "method": "event", "params": json] }
}
