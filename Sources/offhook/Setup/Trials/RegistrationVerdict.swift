import Base
import Lines

/// How the trial of an account ended, for a person who knows no SIP.
package enum RegistrationVerdict: Equatable, Sendable {
    case registered
    /// The account does not register, so there is nothing to be tried.
    case notNeeded
    /// The server's answer to the registration.
    case refused(status: Int, phrase: String)
    case nameUnknown(String)
    case nameServiceSilent(String)
    /// Nothing answers. `takesConnections`: something listens for TCP at the same port.
    case silent(takesConnections: Bool)
    case connectionRefused
    case unreachable(String)
    /// The account speaks in clear, and the server expects TLS there.
    case speaksTLS
    /// The account speaks TLS, and the server does not.
    case speaksNoTLS
    /// The server speaks only versions of TLS before 1.2.
    case speaksOldTLS
    case otherName([String], Fingerprint)
    case unknownAuthority(String, Fingerprint)
    /// Expired, or not valid yet. Then the machine's clock may be wrong.
    case outOfDate(String, Fingerprint)
    /// The certificate is not the one that the configuration pins; its own follows.
    case otherPin(Fingerprint)
    /// Another reason, in the line's words.
    case other(String)

    package var isGood: Bool { self == .registered || self == .notNeeded }

    /// What it means for an account over a WebSocket, whose line has said why it failed. Nil: it is another account.
    func overWebSocket(_ why: String?) -> Self {
        guard let why else { return self }
        return switch self {
        // Something answers there, but opens no WebSocket.
        case .silent: .other(why)
        case .speaksTLS: .other("the server speaks TLS at that port, and the account does not: choose wss")
        case .speaksNoTLS: .other("the server does not speak TLS at that port: is it the right one? Else choose ws")
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .connectionRefused, .unreachable,
            .speaksOldTLS, .otherName, .unknownAuthority, .outOfDate, .otherPin, .other:
            self
        }
    }

    package func sentence(_ server: String) -> String {
        switch self {
        case .registered: "Registered at \(server)."
        case .notNeeded: "The account does not register, so that nothing was tried."
        case .refused(let status, let phrase): Self.refusal(status, phrase)
        case .nameUnknown(let name):
            "The name \(name) does not exist. Is it written as the server's operator writes it?"
        case .nameServiceSilent(let name):
            "No name server answers, so that \(name) is not found. Has this machine a network? (/etc/resolv.conf)"
        case .silent(false): "\(server) does not answer. Is the address right, and does a firewall let it through?"
        case .silent(true):
            "\(server) does not answer over UDP, but takes connections: try tcp or tls as the transport."
        case .connectionRefused:
            "\(server) is there, but nothing listens at that port for this transport. Is the port right? Try another transport."
        case .unreachable(let why): "This machine does not reach \(server): \(why)."
        case .speaksTLS: "\(server) speaks TLS at that port, and the account does not: choose tls."
        case .speaksNoTLS:
            "\(server) does not speak TLS at that port. Is it the port for TLS (mostly 5061)? Else choose udp or tcp."
        case .speaksOldTLS:
            "\(server) speaks only TLS older than 1.2, which is not safe any more. At Asterisk, set method=tlsv1_2 in its transport."
        case .otherName(let names, _):
            "The certificate is trusted but belongs to another name: \(Self.list(names)). Use that name, if it is the server's."
        case .unknownAuthority(let why, _):
            "Nobody whom this machine trusts has signed the server's certificate (\(why))."
        case .outOfDate(let why, _): "The server's certificate is out of date (\(why)). \(Self.clock)"
        case .otherPin: "The server shows another certificate than the one that is pinned."
        case .other(let why): "It did not work: \(why)."
        }
    }

    /// The certificate that may be trusted by its fingerprint, if a person knows it to be the server's.
    package var fingerprint: Fingerprint? {
        switch self {
        case .otherName(_, let shown), .unknownAuthority(_, let shown), .outOfDate(_, let shown), .otherPin(let shown):
            shown
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .silent, .connectionRefused,
            .unreachable, .speaksTLS, .speaksNoTLS, .speaksOldTLS, .other:
            nil
        }
    }

    private static func refusal(_ status: Int, _ phrase: String) -> String {
        let said = "(\(status) \(phrase.shown(bytes: 64)))"
        return switch status {
        case 401, 407: "The server does not take the password, or does not know the user \(said)."
        case 403: "The server forbids it \(said): the user, the password, or what this account may do."
        case 404, 604: "The server does not know this user or this domain \(said)."
        case 423: "The server wants to be asked less often than this phone does \(said)."
        case 488, 606: "The server does not take this phone's terms \(said)."
        case 500..<600: "The server is not able to do it just now \(said)."
        default: "The server refuses \(said)."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.prefix(4).map { $0.shown(bytes: 64) }.joined(separator: ", ")
    }

    private static let clock = "Is this machine's clock right? (date)"
}
