import LineCore
import Lines
import NIOCore
import Vault

/// Finds out why a server did not answer a registration. Checks its name, its port and its certificate.
struct RegistrationDiagnosis {
    let account: Account
    let line: LineSettings
    let loop: any EventLoop

    private var server: ServerExamination { ServerExamination(loop: loop, nameServers: line.nameServers) }
    private var port: UInt16 { line.configuration.account?.server.port ?? 5_060 }
    private var isSecure: Bool { account.transport == .tls || account.transport == .wss }
    /// The names of which the certificate must contain one. The line checks the same.
    private var names: [String] {
        [account.host] + [account.domain].compactMap(\.self).filter { $0 != account.host }
    }

    func verdict() throws(LinesError) -> RegistrationVerdict {
        switch server.lookUp(account.host) {
        case .unknown: return .nameUnknown(account.host)
        case .silence: return .nameServiceSilent(account.host)
        case .found(let addresses):
            guard let (address, connection) = server.connect(toAnyOf: addresses, port: port) else {
                return .nameUnknown(account.host)
            }
            return try verdict(at: address, connection)
        }
    }

    private func verdict(
        at address: String, _ connection: ConnectionFinding
    ) throws(LinesError) -> RegistrationVerdict {
        guard account.transport != .udp, account.transport != .auto else {
            if case .unreachable(let why) = connection { return .unreachable(why) }
            return .silent(takesConnections: connection == .open)
        }
        switch connection {
        case .refused: return .connectionRefused
        case .silence: return .silent(takesConnections: false)
        case .unreachable(let why): return .unreachable(why)
        case .open: break
        }
        let finding = try server.secure(at: address, port: port, for: names, line.tls)
        return isSecure ? verdict(of: finding) : verdict(inClear: finding)
    }

    /// If the server accepts a TLS handshake on an unencrypted transport, it expects TLS there.
    private func verdict(inClear finding: SecureFinding) -> RegistrationVerdict {
        switch finding {
        case .trusted, .otherName, .untrusted, .outOfDate, .oldVersion: .speaksTLS
        case .notSecure, .unconnected: .silent(takesConnections: false)
        }
    }

    private func verdict(of finding: SecureFinding) -> RegistrationVerdict {
        switch finding {
        case .trusted: .silent(takesConnections: false)
        case .otherName(let names, let shown): .otherName(names, shown)
        case .untrusted(_, let shown) where line.tls.fingerprint != nil && line.tls.fingerprint != shown:
            .otherPin(shown)
        case .untrusted(let why, let shown): .unknownAuthority(Self.reason(why), shown)
        case .outOfDate(let why, let shown): .outOfDate(Self.reason(why), shown)
        case .oldVersion: .speaksOldTLS
        case .notSecure: .speaksNoTLS
        case .unconnected: .connectionRefused
        }
    }

    /// The fault of the certificate: the last part of the TLS library's error.
    private static func reason(_ words: String) -> String {
        guard let colon = words.lastIndex(of: ":") else { return words }
        return String(words[words.index(after: colon)...].drop { $0 == " " })
    }
}
