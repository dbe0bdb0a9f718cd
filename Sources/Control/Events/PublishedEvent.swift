import JSON
import NIOCore

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
