import NIOWebSocket

/// Why a server's end of a WebSocket is not used, or not used any more.
package enum WebSocketFault: Error, Equatable, Sendable {
    // The handshake (RFC 6455 §4.1).

    /// What answers there does not speak HTTP.
    case notHTTP
    case answerTooLong
    /// The server answers with another status than 101, and with this phrase.
    case refused(Int, String)
    /// The answer lacks a header that a WebSocket needs.
    case noUpgrade
    /// The answer does not belong to our request.
    case wrongAccept
    /// The server chose no sub-protocol, or another one than ours.
    case otherSubprotocol(String?)
    /// The server uses an extension that nobody asked for.
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
    /// A fragment that continues nothing.
    case strayFragment
    /// A message that begins before the fragments of the one before it are complete.
    case interruptedMessage
    case slowMessage
    case tooManyPings

    // The end.

    /// The server does not answer our pings.
    case silent
    /// The server closes the connection; with its status code (RFC 6455 §7.4), if it gave one, and its reason.
    case closed(UInt16?, String)

    /// The status code of our Close frame; nil if none may be sent.
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

    /// The fault in words for people, about the server.
    package var text: String {
        switch self {
        case .notHTTP: "what answers there is no WebSocket server"
        case .answerTooLong: "the server's answer to the WebSocket request is too long"
        case .refused(let status, let phrase): "the server opens no WebSocket there: it says \(status) \(phrase)"
        case .noUpgrade: "the server does not switch to a WebSocket"
        case .wrongAccept: "the server answers another WebSocket request than ours"
        case .otherSubprotocol(let name?): "the server speaks \(name) over the WebSocket"
        case .otherSubprotocol(nil): "the server does not say that it speaks SIP over the WebSocket"
        case .unwantedExtension: "the server uses an extension of WebSocket that it was not asked for"
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
        case .fragmentedControlFrame: "a control frame in parts"
        case .wrongLength: "a length that is written too long"
        case .tooLong(let limit): "a message of more than \(limit) bytes"
        case .tooManyFragments: "a message of too many parts"
        case .strayFragment: "a part of no message"
        case .interruptedMessage: "a message inside of another one"
        case .slowMessage: "a message that does not end"
        case .tooManyPings: "too many pings or pongs"
        case .notHTTP, .answerTooLong, .refused, .noUpgrade, .wrongAccept, .otherSubprotocol, .unwantedExtension, .cut,
            .slow, .silent, .closed:
            ""
        }
    }
}
