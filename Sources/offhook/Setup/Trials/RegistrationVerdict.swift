import Base
import Lines

/// The result of an account's trial, for a person without knowledge of SIP.
package enum RegistrationVerdict: Equatable, Sendable {
    case registered
    /// The account does not register, so there is nothing to try.
    case notNeeded
    /// The server's rejection of the registration.
    case refused(status: Int, phrase: String)
    case nameUnknown(String)
    case nameServiceSilent(String)
    /// Nothing answers. `takesConnections`: the same port accepts TCP connections.
    case silent(takesConnections: Bool)
    case connectionRefused
    case unreachable(String)
    /// The account's transport is not encrypted, but the server expects TLS.
    case speaksTLS
    /// The account uses TLS, but the server does not.
    case speaksNoTLS
    /// The server supports only versions of TLS before 1.2.
    case speaksOldTLS
    case otherName([String], Fingerprint)
    case unknownAuthority(String, Fingerprint)
    /// Expired, or not valid yet. The machine's clock may be wrong.
    case outOfDate(String, Fingerprint)
    /// The certificate is not the pinned one; its fingerprint follows.
    case otherPin(Fingerprint)
    /// Another reason, in the text that the line reports.
    case other(String)

    package var isGood: Bool { self == .registered || self == .notNeeded }

    /// The verdict for an account over a WebSocket, whose line has reported a reason. Nil: another kind of account.
    func overWebSocket(_ why: String?) -> Self {
        guard let why else { return self }
        return switch self {
        // A server answers there, but opens no WebSocket.
        case .silent: .other(why)
        case .speaksTLS: .other("the server expects TLS at this port: choose wss")
        case .speaksNoTLS: .other("the server does not use TLS at this port: check the port, or choose ws")
        case .registered, .notNeeded, .refused, .nameUnknown, .nameServiceSilent, .connectionRefused, .unreachable,
            .speaksOldTLS, .otherName, .unknownAuthority, .outOfDate, .otherPin, .other:
            self
        }
    }

    package func sentence(_ server: String) -> String {
        switch self {
        case .registered: "Registered at \(server)."
        case .notNeeded: "The account does not register, so nothing was tried."
        case .refused(let status, let phrase): Self.refusal(status, phrase)
        case .nameUnknown(let name):
            "The name \(name) does not exist. Check its spelling."
        case .nameServiceSilent(let name):
            "No name server answers, so \(name) was not found. Check this machine's network and /etc/resolv.conf."
        case .silent(false): "\(server) does not answer. Check the address, and that no firewall blocks it."
        case .silent(true):
            "\(server) does not answer over UDP, but accepts TCP connections. Try tcp or tls as the transport."
        case .connectionRefused:
            "\(server) is up, but nothing listens at this port for this transport. "
                + "Check the port, or try another transport."
        case .unreachable(let why): "This machine cannot reach \(server): \(why)."
        case .speaksTLS: "\(server) expects TLS at this port. Choose tls."
        case .speaksNoTLS:
            "\(server) does not use TLS at this port. Check the port (for TLS mostly 5061), or choose udp or tcp."
        case .speaksOldTLS:
            "\(server) supports only TLS older than 1.2, which is not safe. For "
                + "Asterisk, set method=tlsv1_2 in its transport."
        case .otherName(let names, _):
            "The certificate is trusted but belongs to another name: "
                + "\(Self.list(names)). If that is the server, use that name."
        case .unknownAuthority(let why, _):
            "No authority that this machine trusts has signed the server's certificate (\(why))."
        case .outOfDate(let why, _): "The server's certificate is not valid now (\(why)). \(Self.clock)"
        case .otherPin: "The server shows a certificate that differs from the pinned one."
        case .other(let why): "The registration failed: \(why)."
        }
    }

    /// The certificate that a person may decide to trust by its fingerprint.
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
        case 401, 407: "The server rejects the password or the user \(said). Check both."
        case 403: "The server forbids the registration \(said). Check user, password and the account's rights."
        case 404, 604: "The server does not know this user or this domain \(said)."
        case 423: "The server wants longer registrations than this phone requests \(said)."
        case 488, 606: "The server does not accept this phone's parameters \(said)."
        case 500..<600: "The server cannot register the phone now \(said). Try again later."
        default: "The server rejects the registration \(said)."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.prefix(4).map { $0.shown(bytes: 64) }.joined(separator: ", ")
    }

    private static let clock = "Check this machine's clock (date)."
}
