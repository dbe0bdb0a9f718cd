import Cryptography
import NIOCore

/// Why a connection could not be opened, or is not secure.
enum StreamFault: Equatable, Sendable {
    case slowHandshake
    /// This machine has no route to the far end, or blocks the connection; with the system's text.
    case local(String)
    /// The far end refuses the connection, or does not answer.
    case unconnected(String)
    /// This phone's own files for TLS cannot be used. The text names the file and the reason.
    case ownFiles(String)
    /// The certificate is for another name.
    case otherName
    /// The far end speaks only versions of TLS before 1.2 (RFC 8996).
    case oldVersion
    /// The handshake failed, with the TLS library's text.
    case handshake(String)
    /// The far end refused the WebSocket, or ended it.
    case webSocket(WebSocketFault)

    init(handshake error: any Error) {
        let isOld = (error as? OpenSSLError)?.isOldVersion == true
        self = isOld ? .oldVersion : .handshake("\(error)".firstLine)
    }

    /// - Parameter error: The error of a connection that could not be opened.
    init(connecting error: any Error) {
        switch error {
        case let error as IOError:
            let failure = SystemSocket.Failure(code: error.errnoCode)
            self = failure.isLocal ? .local(failure.text) : .unconnected(failure.text)
        case let error as LinesError: self = .ownFiles("\(error)".firstLine)
        case ChannelError.connectTimeout: self = .unconnected("no answer")
        case ChannelError.ioOnClosedChannel: self = .unconnected("the connection closed at once")
        default: self = .unconnected("\(error)".firstLine)
        }
    }

    /// Whether the fault puts the identity of the far end in doubt.
    var isDistrust: Bool {
        switch self {
        case .local, .unconnected, .ownFiles, .webSocket: false
        case .slowHandshake, .otherName, .oldVersion, .handshake: true
        }
    }

    /// The fault as a text for people, about a connection that this line opened.
    var text: String {
        switch self {
        case .local(let text): "this machine cannot reach the server: \(text)"
        case .unconnected(let text): "cannot connect to the server: \(text)"
        case .ownFiles(let text): "this phone cannot use TLS: \(text)"
        case .slowHandshake: "the server does not finish its TLS handshake"
        case .otherName: "the server's certificate is for another name"
        case .oldVersion: "the server speaks only TLS older than 1.2; at Asterisk, the transport needs method=tlsv1_2"
        case .handshake(let text): "the server is not trusted, or refuses TLS: \(text)"
        case .webSocket(let fault): fault.text
        }
    }

    /// The fault as a text for people, about a connection that somebody opened to this line.
    var callerText: String {
        switch self {
        case .local(let text), .unconnected(let text), .ownFiles(let text): text
        case .slowHandshake: "it does not finish its TLS handshake"
        case .otherName: "its certificate is not for the account's server"
        case .oldVersion: "it speaks only TLS older than 1.2"
        case .handshake(let text): "it is not trusted, or refuses TLS: \(text)"
        case .webSocket(let fault): fault.text
        }
    }
}

extension String {
    fileprivate var firstLine: String { String(prefix { !$0.isNewline }.prefix(200)) }
}
