import Base
import JSON
import NIOCore
import PhoneCore
import Platform

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

/// An event on its way to subscribers. Its bytes are made once for all of them, and only in the needed forms.
final class PublishedEvent {
    let event: ControlEvent
    /// The identifier with which a stream reader names its last event; nil without a stream.
    private let identifier: String?

    /// Whether it reveals a dialled digit, which may belong to a PIN or a door's code, or the code of a sign-in. Clients
    /// with the scope `observe` do not get it.
    var revealsDigits: Bool {
        switch EventName(rawValue: event.name) {
        case .dtmfReceived, .displayChanged, .signInCode: true
        case .panelChanged: event.fields["key"] != nil
        default: false
        }
    }

    init(_ event: ControlEvent, identifier: String?) { (self.event, self.identifier) = (event, identifier) }

    /// The event as one line of the socket.
    private(set) lazy var line = Connection.line(event.notification)

    /// The event in a stream of server-sent events (HTML Standard §9.2.5). The JSON text is always one line, whatever a
    /// far end sent.
    private(set) lazy var frame: ByteBuffer = {
        let identifier = identifier.map { "id: \($0)\n" } ?? ""
        return ByteBuffer(string: "\(identifier)event: \(event.name)\ndata: \(event.json.text)\n\n")
    }()
}

/// The newest events, for stream readers that reconnect.
struct EventRing {
    static let capacity = 512
    /// Far more than the events of calls need. Limits the memory that far ends can fill with their texts.
    static let maximumBytes = 1 << 20

    /// Random for each run, so that numbers of an earlier run are invalid.
    private let run: String
    private var last: UInt64 = 0
    private var frames = CircularBuffer<(bytes: ByteBuffer, revealsDigits: Bool)>()
    private var bytes = 0

    init() {
        var random = SystemRandomNumberGenerator()
        run = String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
    }

    /// The newest event so far.
    var position: String { identifier(last) }
    /// The next event.
    var next: String { identifier(last + 1) }

    private func identifier(_ number: UInt64) -> String { "\(run)-\(number)" }

    /// - Parameter event: The event `next`.
    mutating func append(_ event: PublishedEvent) {
        last += 1
        frames.append((event.frame, event.revealsDigits))
        bytes += event.frame.readableBytes
        while frames.count > Self.capacity || bytes > Self.maximumBytes {
            bytes -= frames.removeFirst().bytes.readableBytes
        }
    }

    /// The events after an identifier that the scope may see. Nil: some are lost, or the identifier is unknown.
    func frames(after identifier: String, scope: AccessScope) -> [ByteBuffer]? {
        let parts = identifier.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run, let number = UInt64(parts[1]), number <= last,
            last - number <= UInt64(frames.count)
        else { return nil }
        return frames.suffix(Int(last - number)).filter { scope >= .call || !$0.revealsDigits }.map(\.bytes)
    }
}

/// Streams of events, which can be resumed.
extension Exchange {
    /// The beginning of a stream: `clientReady`, then the events after the one that the reader names. If some of those
    /// are lost, `reset` comes first, and the reader requests a snapshot.
    /// - Parameter identifier: Nil for a reader without an earlier event.
    func opening(after identifier: String?, scope: AccessScope) -> [ByteBuffer] {
        guard let ring else { return [] }
        guard let identifier else { return [frame(clientReady, ring.position)] }
        guard let missed = ring.frames(after: identifier, scope: scope) else {
            let reset = ControlEvent(name: EventName.reset.rawValue, at: MonotonicClock.now(), fields: [:])
            return [frame(reset, ring.position), frame(clientReady, ring.position)]
        }
        return [frame(clientReady, identifier)] + missed
    }

    private func frame(_ event: ControlEvent, _ identifier: String) -> ByteBuffer {
        PublishedEvent(event, identifier: identifier).frame
    }
}
