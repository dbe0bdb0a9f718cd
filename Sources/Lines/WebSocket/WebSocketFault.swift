import NIOWebSocket

/// Why the line does not use a server's WebSocket, or no longer uses it.
package enum WebSocketFault: Error, Equatable, Sendable {
    // The handshake (RFC 6455 §4.1).

    /// The far end does not speak HTTP.
    case notHTTP
    case answerTooLong
    /// The server answers with another status than 101, and with this phrase.
    case refused(Int, String)
    /// The answer lacks a header that a WebSocket needs.
    case noUpgrade
    /// The answer does not belong to our request.
    case wrongAccept
    /// The server chose no sub-protocol, or another one than we offered.
    case otherSubprotocol(String?)
    /// The server uses an extension that we did not offer.
    case unwantedExtension
    /// The connection ended before the handshake did.
    case cut
    case slow

    // Frames (RFC 6455 §5).

    case masked
    case reservedBits
    case unknownOpcode(UInt8)
    case longControlFrame
    case fragmentedControlFrame
    /// The length of a frame is written in more bytes than it needs.
    case wrongLength
    case tooLong(limit: Int)
    case tooManyFragments
    /// A fragment that continues no message.
    case strayFragment
    /// A message that begins before the one before it is complete.
    case interruptedMessage
    case slowMessage
    case tooManyPings

    // The end.

    /// The server does not answer our pings.
    case silent
    /// The server closes the connection, with its status code (RFC 6455 §7.4), if any, and its reason.
    case closed(UInt16?, String)

    /// The status code of our Close frame. Nil: no Close frame may be sent.
    var code: WebSocketErrorCode? {
        switch self {
        case .notHTTP, .answerTooLong, .refused, .noUpgrade, .wrongAccept, .otherSubprotocol, .unwantedExtension, .cut,
            .slow:
            nil
        case .masked, .reservedBits, .unknownOpcode, .longControlFrame, .fragmentedControlFrame, .strayFragment,
            .interruptedMessage, .wrongLength:
            .protocolError
        case .tooLong: .messageTooLarge
        case .tooManyFragments, .slowMessage, .tooManyPings: .policyViolation
        case .silent: .goingAway
        case .closed: .normalClosure
        }
    }

    /// The fault as a text for people, about the server.
    package var text: String {
        switch self {
        case .notHTTP: "the server there is not a WebSocket server"
        case .answerTooLong: "the server's answer to the WebSocket request is too long"
        case .refused(let status, let phrase): "the server refuses the WebSocket: \(status) \(phrase)"
        case .noUpgrade: "the server does not switch to a WebSocket"
        case .wrongAccept: "the server's answer belongs to another WebSocket request"
        case .otherSubprotocol(let name?): "the server speaks \(name) over the WebSocket"
        case .otherSubprotocol(nil): "the server did not agree to SIP over the WebSocket"
        case .unwantedExtension: "the server uses a WebSocket extension that was not requested"
        case .cut: "the server closes the connection instead of opening a WebSocket"
        case .slow: "the server does not answer the WebSocket request"
        case .closed(let code, let reason):
            "the server closes the WebSocket" + (code.map { " (\($0))" } ?? "") + (reason.isEmpty ? "" : ": \(reason)")
        case .silent: "the server does not answer over the WebSocket any more"
        case .masked, .reservedBits, .unknownOpcode, .longControlFrame, .fragmentedControlFrame, .tooLong,
            .tooManyFragments, .strayFragment, .interruptedMessage, .slowMessage, .tooManyPings, .wrongLength:
            "the server breaks the WebSocket protocol: \(breach)"
        }
    }

    private var breach: String {
        switch self {
        case .masked: "it masks a frame"
        case .reservedBits: "it sets bits of an extension"
        case .unknownOpcode(let code): "a frame of kind \(code)"
        case .longControlFrame: "a control frame of more than 125 bytes"
        case .fragmentedControlFrame: "a fragmented control frame"
        case .wrongLength: "a length in more bytes than it needs"
        case .tooLong(let limit): "a message of more than \(limit) bytes"
        case .tooManyFragments: "a message in too many fragments"
        case .strayFragment: "a fragment without a message"
        case .interruptedMessage: "a message inside another one"
        case .slowMessage: "a message that does not end"
        case .tooManyPings: "too many pings or pongs"
        case .notHTTP, .answerTooLong, .refused, .noUpgrade, .wrongAccept, .otherSubprotocol, .unwantedExtension, .cut,
            .slow, .silent, .closed:
            ""
        }
    }
}
