import SIPCore

/// A hostile server's change of a message between two honest phones.
enum Tampering: CaseIterable, Sendable {
    case bareVoice, voiceElsewhere, nonsense, noBody, otherTag, otherStatus, twice, swallowed

    /// The message that arrives instead.
    func make(of message: SIPMessage, number: Int) -> [[UInt8]] {
        switch self {
        case .bareVoice: [changed(message) { Self.text($0).replacing("RTP/SAVP", with: "RTP/AVP") }]
        case .voiceElsewhere: [changed(message, Self.elsewhere)]
        case .nonsense: [changed(message) { $0.isEmpty ? "" : Forger.nonsense }]
        case .noBody: [changed(message) { _ in "" }]
        case .otherTag: [tagged(message, "server-\(number)")]
        case .otherStatus: [refused(message)]
        case .twice: [message.bytes, message.bytes]
        case .swallowed: []
        }
    }

    private static func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }

    private static func elsewhere(_ body: [UInt8]) -> String {
        text(body).split(separator: "\r\n").map { $0.hasPrefix("c=") ? "c=IN IP4 \(Enemy.endpoint.host)" : $0 }
            .map { $0 + "\r\n" }.joined()
    }

    private func changed(_ message: SIPMessage, _ change: ([UInt8]) -> String) -> [UInt8] {
        switch message {
        case .request(var request):
            request.body = Array(change(request.body).utf8)
            return request.bytes
        case .response(var response):
            response.body = Array(change(response.body).utf8)
            return response.bytes
        }
    }

    private func tagged(_ message: SIPMessage, _ tag: String) -> [UInt8] {
        switch message {
        case .request(var request):
            request.headers[.from] = request.headers[.from].map { Self.untagged($0) + ";tag=" + tag }
            return request.bytes
        case .response(var response):
            response.headers[.to] = response.headers[.to].map { Self.untagged($0) + ";tag=" + tag }
            return response.bytes
        }
    }

    private static func untagged(_ value: String) -> Substring {
        value.firstRange(of: ";tag=").map { value[..<$0.lowerBound] } ?? value[...]
    }

    /// An answer becomes a refusal; a request stays unchanged.
    private func refused(_ message: SIPMessage) -> [UInt8] {
        guard case .response(var response) = message, !response.status.isProvisional else { return message.bytes }
        response.status = .decline
        response.body = []
        return response.bytes
    }
}
