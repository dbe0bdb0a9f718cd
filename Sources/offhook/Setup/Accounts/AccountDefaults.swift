import Base
import Vault

/// The usual values of an account of this kind: the same for commands, setup and the control interface.
struct AccountDefaults {
    let kind: Account.Kind

    init(_ kind: Account.Kind) { self.kind = kind }

    var transport: Account.Transport { kind == .sip ? .udp : .wss }
    var protection: Account.Protection { kind == .sip ? .mandatory : .dtls }
    var policy: Account.ICE.Policy { kind == .sip ? .answered : .always }

    /// Nil: a person has to name the server.
    var server: String? { kind == .telnyx ? Self.telnyx : nil }

    /// - Parameter host: The account's server. The servers of its operator know no accounts of other operators.
    func stun(at host: String) -> [Account.ICE.Server] {
        isOperated(host) ? [Account.ICE.Server(host: "stun.telnyx.com", port: ICEServerText.usualPort)] : []
    }

    /// Over TCP, because a network that needs a relay mostly blocks UDP. User and password are public: every program
    /// that uses the operator's SDK has them.
    func turn(at host: String) -> [Account.ICE.Server] {
        guard isOperated(host) else { return [] }
        return [
            Account.ICE.Server(
                host: "turn.telnyx.com", port: ICEServerText.usualPort, transport: .tcp, user: "testuser",
                password: Redacted("testpassword"))
        ]
    }

    /// Server, STUN and TURN are those of the operator's own SDK (`InternalConfig` of telnyx-webrtc-ios 4.1.2).
    private static let telnyx = "rtc.telnyx.com"

    /// Regions have a name before the usual one.
    private func isOperated(_ host: String) -> Bool {
        let host = host.lowercased()
        return kind == .telnyx && (host == Self.telnyx || host.hasSuffix("." + Self.telnyx))
    }
}
