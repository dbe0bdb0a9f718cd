import Base
import SIPCore

/// The parts of a message that a ladder, a filter and the removal of private bodies need. Bytes that are not a valid
/// message have a reading too.
public struct SignalReading: Equatable, Sendable {
    /// The method of the request, or of the request that the response answers; empty when it is unknown.
    let method: String
    /// `INVITE`, `200 OK`.
    let label: String
    /// The request URI of a request; nil for a response.
    let target: String?
    let sequence: UInt32?
    /// The Call-ID; empty without one.
    let callID: String
    /// The content type in lower case, without parameters; empty without one.
    let contentType: String
    let body: [UInt8]

    /// One line of text: `INVITE sip:bob@192.0.2.2`, `200 OK (INVITE)`.
    public var summary: String {
        guard let target else { return method.isEmpty ? label : "\(label) (\(method))" }
        return "\(label) \(target)"
    }

    /// Cost: one parse of the message.
    public init(_ bytes: [UInt8]) {
        guard let message = try? SIPMessage(bytes.span) else {
            let line = bytes.prefix { $0 != 0x0D && $0 != 0x0A }
            (method, target, sequence, callID, contentType, body) = ("", nil, nil, "", "", [])
            label = "? " + String(decoding: line.prefix(64), as: UTF8.self).withoutCommands
            return
        }
        let cSeq = try? message.headers.cSeq
        sequence = cSeq?.number
        callID = (message.headers[.callID] ?? "").withoutCommands
        contentType = ((try? message.headers.contentType)?.name ?? "").withoutCommands
        body = message.body
        switch message {
        case .request(let request):
            method = request.method.name
            label = method.withoutCommands
            target = request.uri.text.withoutCommands
        case .response(let response):
            method = cSeq?.method.name ?? ""
            label = "\(response.status.code) \(response.phrase)".withoutCommands
            target = nil
        }
    }
}
