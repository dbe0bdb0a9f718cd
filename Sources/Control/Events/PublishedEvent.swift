import JSON
import NIOCore

/// An event on its way. Its bytes are made once for all who are told, and only in the forms that somebody takes.
final class PublishedEvent {
    let event: ControlEvent
    /// The identifier by which a reader of the stream says what it has; nil where there is no stream.
    private let identifier: String?

    /// Whether it tells a digit that somebody dialled, which may be of a PIN or of a door's code. Who only looks on is not
    /// told.
    var revealsDigits: Bool {
        switch EventName(rawValue: event.name) {
        case .dtmfReceived, .displayChanged: true
        case .panelChanged: event.fields["key"] != nil
        default: false
        }
    }

    init(_ event: ControlEvent, identifier: String?) { (self.event, self.identifier) = (event, identifier) }

    /// The event as one line of the socket.
    private(set) lazy var line = Connection.line(event.notification)

    /// The event in a stream of server-sent events (HTML Standard §9.2.5). The JSON text is one line, whatever a far
    /// end wrote.
    private(set) lazy var frame: ByteBuffer = {
        let identifier = identifier.map { "id: \($0)\n" } ?? ""
        return ByteBuffer(string: "\(identifier)event: \(event.name)\ndata: \(event.json.text)\n\n")
    }()
}
